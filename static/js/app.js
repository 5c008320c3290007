// Dialwright's own script. Every page works without it; it saves a page load,
// a click or a search. No dependency, no inline handlers, no eval.
(() => {
  "use strict";
  const on = (type, selector, handle) =>
    document.addEventListener(type, (event) => {
      const target = event.target.closest?.(selector);
      if (target) handle(event, target);
    });
  const plainClick = (event) => event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

  // The first form of a server begins with the browser's own time zone.
  const zone = document.querySelector("form[data-browser-zone] [name=time_zone]");
  if (zone && zone.value === zone.defaultValue) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

  // A stream that breaks off is opened again by itself: no error to be told of in
  // the console, whose only way in before it is written is the log of events.
  if (window.htmx) {
    htmx.logger = (_element, name, detail) => {
      if (name === "htmx:sseError") delete detail.error;
    };
  }

  // Older browsers do not know command="show-modal".
  if (!("command" in HTMLButtonElement.prototype)) {
    on("click", "button[commandfor]", (_, button) => {
      const dialog = document.getElementById(button.getAttribute("commandfor"));
      if (button.getAttribute("command") === "show-modal") dialog?.showModal();
      else dialog?.close();
    });
  }

  // A link to a page that asks a question opens the question here instead.
  // Whatever goes wrong, the link is followed as usual.
  on("click", "a[data-confirm]", async (event, link) => {
    if (!plainClick(event)) return;
    event.preventDefault();
    try {
      const response = await fetch(link.href, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const question = response.ok && page.getElementById("confirm");
      if (!question) throw new Error("no question on that page");
      const dialog = document.createElement("dialog");
      dialog.className = "dialog";
      dialog.setAttribute("aria-labelledby", "confirm-title");
      dialog.append(document.adoptNode(question));
      dialog.addEventListener("close", () => {
        dialog.remove();
        link.focus();
      });
      document.body.append(dialog);
      dialog.showModal();
      dialog.querySelector("[data-keep]")?.focus();
    } catch {
      location.assign(link.href);
    }
  });
  on("click", "dialog [data-keep]", (event, keep) => {
    event.preventDefault();
    keep.closest("dialog").close();
  });
  on("click", "dialog", (event, dialog) => {
    if (event.target === dialog) dialog.close(); // a click on the backdrop
  });

  // Copy buttons name the field they copy.
  on("click", "button[data-copy]", async (_, button) => {
    const field = document.getElementById(button.dataset.copy);
    const label = button.querySelector("[data-label]") ?? button;
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      label.textContent = "Copied";
    } catch {
      // Without permission, or on plain http: select it for the person.
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
      label.textContent = "Press Ctrl C";
    }
  });

  // Where the carrier does not send a recording, that is said in place of a player
  // that does nothing. It may have failed before this script came.
  const cannotPlay = (player) => {
    player.hidden = true;
    player.nextElementSibling.hidden = false;
  };
  document.addEventListener("error", (event) => event.target.matches?.("audio.player") && cannotPlay(event.target), true);
  // The sound of a call that is heard while it lasts ends once, and cannot be played again. The page then says why, as
  // far as the server has told it.
  const soundLate = 5000; // ms in which a player plays what it has
  let afterSound; // what the server has put in place of the player, which still plays what was said last
  const soundEnded = (player) => {
    cannotPlay(player);
    const section = player.closest("#listening");
    if (!section) return;
    section.querySelector("[data-while-playing]").hidden = true;
    if (afterSound) Idiomorph.morph(section, afterSound);
    afterSound = undefined;
  };
  const keepsPlaying = (old, fresh) => {
    const player = old.id === "listening" && old.querySelector(".player");
    if (!player) return false;
    const plays = fresh.querySelector(".player");
    if (player.hidden) return plays;
    afterSound = plays ? undefined : fresh.cloneNode(true);
    // A player that was never able to play does not say when it ends.
    if (afterSound) setTimeout(() => afterSound && soundEnded(player), soundLate);
    return true;
  };
  for (const type of ["ended", "error"])
    document.addEventListener(type, (event) => event.target.matches?.("#listening .player") && soundEnded(event.target), true);
  for (const player of document.querySelectorAll("audio.player")) {
    if (player.error) (player.closest("#listening") ? soundEnded : cannotPlay)(player);
  }

  // The time of a turn plays the recording from there. The address then names the turn: whoever opens it finds the player
  // at this moment, and no page plays by itself.
  const playerAt = (id) => {
    const at = document.getElementById(id)?.dataset.at;
    const player = at === undefined ? null : document.querySelector("audio.player:not([hidden])");
    if (player) player.currentTime = Number(at);
    return player;
  };
  on("click", "a.moment-plays", (event, link) => {
    if (plainClick(event)) playerAt(link.hash.slice(1))?.play().catch(() => {}); // it says itself that it cannot be loaded
  });
  if (location.hash.startsWith("#turn-")) playerAt(location.hash.slice(1));

  // What was chosen or typed and not sent yet survives what changes around it.
  const chosen = (select) => select === document.activeElement || [...select.options].some((o) => o.selected !== o.defaultSelected);
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (old, fresh) =>
    !keepsPlaying(old, fresh) &&
    !(old instanceof HTMLSelectElement && chosen(old)) &&
    !(old.id === "answer-filter" && chosen(old.closest("form").elements.question)) &&
    !(old instanceof HTMLInputElement && ["search", "text"].includes(old.type) && (old === document.activeElement || old.value !== old.defaultValue)) &&
    !(old instanceof HTMLInputElement && old.type === "checkbox" && old.checked !== old.defaultChecked);
  // What somebody has opened stays open.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) => !(name === "open" && element instanceof HTMLDetailsElement);

  // Toasts that hold an action stay until they are closed.
  on("click", "a[data-dismiss]", (event, link) => {
    if (!plainClick(event)) return;
    event.preventDefault();
    link.closest(".toast").remove();
  });

  // The theme changes at once; the form keeps the choice in the cookie.
  on("submit", "form[data-theme-form]", (event, form) => {
    event.preventDefault();
    const theme = event.submitter.value;
    document.documentElement.dataset.theme = theme;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    fetch(form.action, { method: "POST", body, keepalive: true }).catch(() => {});
    form.querySelector(`button:not([value="${theme}"])`)?.focus();
  });

  on("click", "button[data-print]", () => print());

  // A file may be dropped on the area around its field, which then says what it
  // holds. One that is dropped beside it is not opened in place of the page.
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  const dropArea = (event) => event.target.closest?.("[data-drop]");
  for (const type of ["dragenter", "dragover", "dragleave", "drop"])
    document.addEventListener(type, (event) => {
      if (!carriesFiles(event) || !document.querySelector("[data-drop]")) return;
      event.preventDefault();
      const area = dropArea(event);
      if (type === "dragover") event.dataTransfer.dropEffect = area ? "copy" : "none";
      for (const other of document.querySelectorAll("[data-drop].is-over"))
        if (other !== area || type === "drop" || (type === "dragleave" && !other.contains(event.relatedTarget))) other.classList.remove("is-over");
      if (!area) return;
      if (type === "dragenter" || type === "dragover") area.classList.add("is-over");
      const [file] = event.dataTransfer.files;
      if (type !== "drop" || !file) return;
      const one = new DataTransfer();
      one.items.add(file);
      const field = area.querySelector("input[type=file]");
      field.files = one.files;
      field.focus();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  const size = (bytes) => {
    if (bytes < 1000) return `${bytes} bytes`;
    const [unit, per] = bytes < 1e6 ? ["KB", 1e3] : ["MB", 1e6];
    return `${(bytes / per).toFixed(bytes < 10 * per ? 1 : 0)} ${unit}`;
  };
  on("change", "[data-drop] input[type=file]", (_, field) => {
    const [file] = field.files;
    const words = field.closest("[data-drop]").querySelector("[data-drop-words]");
    words.textContent = file ? `${file.name}, ${size(file.size)}` : "or drop it here";
  });

  // Boxes that belong to one radio button: ticking one chooses it, and choosing
  // another button clears them, so that the form never says both.
  on("change", "[data-radio] input[type=checkbox]", (_, box) => {
    if (box.checked) document.getElementById(box.closest("[data-radio]").dataset.radio).checked = true;
  });
  on("change", "input[type=radio]", (_, chosen) => {
    for (const group of document.querySelectorAll("[data-radio]")) {
      const radio = document.getElementById(group.dataset.radio);
      if (radio.name !== chosen.name || radio.form !== chosen.form || radio.checked) continue;
      for (const box of group.querySelectorAll("input:checked")) box.checked = false;
    }
  });

  // A box that selects every row of a list, and how many are selected. Without scripts both stay hidden.
  const rowBoxes = (form) => [...form.elements].filter((box) => box.type === "checkbox" && box.name === "id");
  // While all that match are selected, so is every row of the page.
  const countSelected = (form) => {
    const [boxes, count, matching] = [rowBoxes(form), ...["[data-selected-count]", "[data-all-matching]"].map((s) => form.querySelector(s))];
    if (matching?.checked) for (const box of boxes) box.checked = true;
    const selected = boxes.filter((box) => box.checked).length;
    form.querySelector("[data-check-all] input").checked = boxes.length > 0 && selected === boxes.length;
    count.hidden = selected === 0;
    count.textContent = matching?.checked
      ? `All ${matching.dataset.allMatching} ${count.dataset.many} selected`
      : `${selected} ${selected === 1 ? count.dataset.one : count.dataset.many} selected`;
  };
  for (const all of document.querySelectorAll("[data-check-all]")) {
    all.hidden = rowBoxes(all.closest("form")).length === 0;
    countSelected(all.closest("form"));
  }
  on("change", "[data-check-all] input", (_, all) => {
    for (const box of rowBoxes(all.form)) box.checked = all.checked;
  });
  on("change", "#selection input[type=checkbox], [form=selection]", (_, box) => {
    const matching = box.form.querySelector("[data-all-matching]");
    if (box === matching && !box.checked) for (const row of rowBoxes(box.form)) row.checked = false;
    else if (matching && !box.checked) matching.checked = false;
    countSelected(box.form);
  });

  // A conversation that can't begin marks what is wrong in the form beside it, as saving the form does. The next one
  // begins without the marks.
  const marks = new Map(); // the lines by the marked field
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "try") return;
    for (const [field, line] of marks) {
      line.remove();
      field.removeAttribute("aria-invalid");
      if (field.dataset.describedby) field.setAttribute("aria-describedby", field.dataset.describedby);
      else field.removeAttribute("aria-describedby");
    }
    marks.clear();
    for (const problem of event.target.querySelectorAll("template[data-problem-of]")) {
      const field = document.getElementById(problem.dataset.problemOf);
      const line = problem.content.firstElementChild;
      if (!field?.closest(".field") || document.getElementById(line.id)) continue; // the form has marked it already
      field.dataset.describedby = field.getAttribute("aria-describedby") ?? "";
      field.setAttribute("aria-describedby", line.id);
      field.setAttribute("aria-invalid", "true");
      field.closest(".field").append(line);
      for (let inside = field.closest("details"); inside; inside = inside.parentElement.closest("details")) inside.open = true;
      marks.set(field, line);
    }
  });

  // The address of a filtered list names only the filters in force.
  document.addEventListener("formdata", ({ target, formData }) => {
    if (target.method !== "get") return;
    for (const name of new Set(formData.keys())) {
      const filled = formData.getAll(name).filter((value) => value !== "");
      formData.delete(name);
      for (const value of filled) formData.append(name, value);
    }
  });

  // A number that is chosen from a carrier account comes with its connection.
  on("input", "#phone_number[list]", (_, field) => {
    const chosen = [...field.list.options].find((option) => option.value === field.value);
    const connection = document.getElementById("connection_id");
    if (chosen && connection) connection.value = chosen.dataset.connection;
  });

  // A file or a pasted list goes to the server for its check at once.
  on("change", "[data-submits]", (_, field) => {
    if (field.value) document.getElementById(field.dataset.submits).click();
  });

  // A long form is not left by mistake once something was typed into it.
  const hasUnsaved = () => document.querySelector('form[data-unsaved="changed"]') !== null;
  let unsaved = hasUnsaved();
  on("input", "form[data-unsaved]", () => (unsaved = true));
  on("submit", "form[data-unsaved]", () => (unsaved = false));
  // A sign-in form took the place of the page, because the session was over.
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.target === document.body) unsaved = hasUnsaved();
  });
  on("click", ".form-foot a", () => (unsaved = false)); // to discard it is what was asked for
  addEventListener("beforeunload", (event) => {
    // Browsers ask only on pages that somebody used, and report any other request.
    if (unsaved && navigator.userActivation.hasBeenActive) event.preventDefault();
  });

  // Command palette: places first, then what the server finds, then actions.
  const palette = document.getElementById("palette");
  if (palette) {
    const query = palette.querySelector("input");
    const found = palette.querySelector("[data-found]");
    const places = [...palette.querySelectorAll("[role=option]")];
    const visible = () => [...palette.querySelectorAll("[role=option]")].filter((option) => !option.hidden);
    const select = (option) => {
      for (const o of palette.querySelectorAll("[role=option]")) {
        o.classList.toggle("is-current", o === option);
        o.setAttribute("aria-selected", String(o === option));
      }
      if (option) {
        query.setAttribute("aria-activedescendant", option.id);
        option.scrollIntoView({ block: "nearest" });
      } else query.removeAttribute("aria-activedescendant");
    };
    let asked; // the request for what the server finds, while it runs
    let wait;
    let opens = false; // Enter was pressed before the answer came
    const show = () => {
      for (const group of palette.querySelectorAll("[role=group]")) group.hidden = !group.querySelector("[role=option]:not([hidden])");
      palette.querySelector("[data-none]").hidden = asked !== undefined || visible().length > 0;
      const chosen = palette.querySelector("[role=option].is-current:not([hidden])");
      select(chosen ?? visible()[0]);
    };
    const find = async (words) => {
      const request = new AbortController();
      asked = request;
      try {
        const response = await fetch(found.dataset.found + encodeURIComponent(words), { signal: request.signal, redirect: "error" });
        const page = response.ok && new DOMParser().parseFromString(await response.text(), "text/html");
        if (asked === request) found.replaceChildren(...(page ? page.querySelectorAll("[role=group]") : []));
      } catch {} // a newer search took its place, or the server is away: places and actions remain
      if (asked !== request) return;
      asked = undefined;
      show();
      if (opens) palette.querySelector(".is-current")?.click();
    };
    const filter = () => {
      const words = query.value.trim();
      for (const option of places) option.hidden = !option.textContent.toLowerCase().includes(words.toLowerCase());
      clearTimeout(wait);
      asked?.abort();
      asked = undefined;
      opens = false;
      select();
      if (words.length > 1) {
        asked = new AbortController(); // none of the former results is opened from here on
        wait = setTimeout(find, 120, words);
      } else found.replaceChildren();
      show();
    };
    query.addEventListener("input", filter);
    query.addEventListener("keydown", (event) => {
      const list = visible();
      const at = list.findIndex((option) => option.classList.contains("is-current"));
      const key = event.metaKey || event.ctrlKey ? `Mod ${event.key.toLowerCase()}` : event.key;
      if (key === "ArrowDown" || key === "Mod j") select(list[(at + 1) % list.length]);
      else if (key === "ArrowUp" || key === "Mod k") select(list.at(at - 1));
      else if (key === "Enter" && asked && !places.includes(list[at])) opens = true;
      else if (key === "Enter") list[at]?.click();
      else if (key === "Escape") palette.close(); // a search field would only be emptied
      else return;
      event.preventDefault();
    });
    palette.addEventListener("toggle", () => {
      if (!palette.open) return;
      query.value = "";
      filter();
      query.focus();
    });
    on("click", "a[data-palette]", (event) => {
      if (!plainClick(event)) return;
      event.preventDefault();
      palette.showModal();
    });
    document.addEventListener("keydown", (event) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k" && !palette.open) {
        event.preventDefault();
        palette.showModal();
      }
    });
  }

  // Shortcuts: the list behind "?" is what there is. Those that are plain
  // characters can be switched off, which this browser remembers.
  const shortcuts = document.getElementById("shortcuts");
  if (shortcuts) {
    const remembered = "dialwright-single-keys";
    const single = shortcuts.querySelector("[data-single-keys]");
    try {
      single.checked = localStorage.getItem(remembered) !== "off";
    } catch {} // storage may be forbidden: then they are on
    const help = () => {
      palette?.close();
      shortcuts.showModal();
    };
    const showSwitch = () => {
      for (const key of document.querySelectorAll("[data-single-key]")) key.hidden = !single.checked;
    };
    showSwitch();
    single.addEventListener("change", () => {
      showSwitch();
      try {
        localStorage.setItem(remembered, single.checked ? "on" : "off");
      } catch {}
    });
    palette?.addEventListener("keydown", (event) => {
      if (event.key !== "?" || !single.checked) return; // no page, action or number has one in it
      event.preventDefault();
      help();
    });
    // Moves the focus to the next or the previous row of the list.
    const moveRow = (by) => {
      const rows = [...document.querySelectorAll("main tbody tr")].filter((row) => row.checkVisibility() && row.querySelector("a[href], button"));
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      const row = rows[at < 0 && by < 0 ? rows.length - 1 : at + by];
      (row?.querySelector(".row-link") ?? row?.querySelector("a[href], button"))?.focus();
      return rows.length > 0;
    };
    const places = new Map([...shortcuts.querySelectorAll("[data-keys]")].map((key) => [key.dataset.keys, key.dataset.path]));
    let first = "";
    let forget;
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (!single.checked || typing || event.metaKey || event.ctrlKey || event.altKey || document.querySelector("dialog[open]")) return;
      clearTimeout(forget);
      const keys = first + event.key;
      first = "";
      if (event.key === "?") shortcuts.showModal();
      else if (keys === "j" || keys === "k") {
        if (!moveRow(keys === "j" ? 1 : -1)) return;
      } else if (event.key === "/") {
        const field = document.querySelector("main [role=search] input:not([type=hidden])");
        if (!field) return;
        field.focus();
        field.select?.();
      } else if (places.has(keys)) location.assign(places.get(keys));
      else {
        if ([...places.keys()].some((known) => known.startsWith(event.key) && known.length > 1)) {
          first = event.key;
          forget = setTimeout(() => (first = ""), 1500);
        }
        return;
      }
      event.preventDefault();
    });
    on("click", "button[data-shortcuts]", help);
    if (!/Mac|iPhone|iPad/.test(navigator.platform)) for (const key of document.querySelectorAll("[data-mod-key]")) key.textContent = `Ctrl ${key.dataset.modKey}`;
  }
})();
