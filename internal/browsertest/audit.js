// audit asks axe-core about the page that a test has open.
var audit = (() => {
	// The HTML and the selectors of nodes cost more than the rules, so run asks for
	// neither, and described runs once more only when something is wrong.
	const run = (context, options) => {
		axe.addReporter("nodes", (results, _, done) => done(results));
		axe.configure({ noHtml: true });
		return axe.run(context, { preload: false, ...options, reporter: "nodes" });
	};

	const described = async (context, options, results) => {
		if (results.every((rule) => rule.violations.length === 0)) return [];
		const all = { preload: false, ...options, reporter: "v1", resultTypes: ["violations"], elementRef: true };
		const { violations } = await axe.run(context, all);
		return violations.flatMap((v) => v.nodes.map((n) =>
			v.id + ": " + n.target.join(" ") + " " + n.failureSummary.replace(/\s+/g, " ") + " " + n.element.outerHTML.slice(0, 160)));
	};

	// A rule about the page as a whole is asked when the page's outline, or what a view shows of it, is new.
	const aboutViews = /^(region|bypass|heading-order|page-has-heading-one|empty-heading|skip-link|landmark-.*|.*-orientation-lock)$/;

	// A rule about elements has nothing new to say in another view of the same document, except where elements came
	// or went. checked has the visibility that each element had when the rules last passed, unless the document has
	// changed since.
	let checked = null;
	let version = 0;
	const changes = new MutationObserver(() => version++);
	changes.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
	const current = () => changes.takeRecords().length > 0 ? ++version : version;

	const visibility = () => new Map([...document.querySelectorAll("*")].map((element) =>
		[element, element.checkVisibility({ visibilityProperty: true })]));

	// An element gets its name from the text in it, and lists are judged by their items, so what came or went is
	// checked with these around it.
	const judged = "a, button, label, legend, summary, caption, th, ul, ol, dl, [role]";
	const around = (element, visible) => element.closest(judged) ?? (visible ? element : null);

	// asked has the elements about which a rule is asked, by the rule's ID. Other rules are asked about the whole page. To
	// ask about parts of a page in runs of their own takes longer than most rules, because each run reads the page anew.
	let asked = new Map();
	for (const rule of axe._audit.rules) {
		const gather = rule.gather;
		rule.gather = (...of) => {
			const within = asked.get(rule.id);
			return gather.apply(rule, of).filter((node) => {
				if (!within) return true;
				for (let e = node.actualNode; e; e = e.parentElement) if (within.has(e)) return true;
				return false;
			});
		};
	}

	// The keys of the current view, by what they are about, each with its elements.
	let paints = new Map();
	let moves = null; // null if the document is new, so that all of it is asked about
	let outline = new Set();
	let view = null;

	// keys returns everything that the findings in this view depend on, except the document itself: the paints of its
	// texts and, if the rules passed in another view of the same document, what came or went and the outline.
	const keys = () => {
		view = { version: current(), visible: visibility() };
		paints = paintsOf();
		moves = null;
		if (checked?.version !== view.version) return [...paints.keys()];
		const moved = new Set([...view.visible].filter(([element, visible]) => checked.visible.get(element) !== visible)
			.map(([element, visible]) => around(element, visible)));
		moved.delete(null);
		moves = new Map([...moved].map((element) => [move(element), element]));
		outline = outlineOf();
		return [...paints.keys(), ...moves.keys(), ...outline];
	};

	// page returns the findings of the rules with the given tags for the keys that are new. Rules about colors are asked
	// about one element of each paint.
	const page = async (tags, colorRules, unseen) => {
		const isNew = new Set(unseen);
		const of = (map) => [...map].filter(([key]) => isNew.has(key)).map(([, element]) => element);
		asked = new Map([["target-size", doubtfulTargets()], ["scrollable-region-focusable", doubtfulRegions()]]);
		for (const id of colorRules) asked.set(id, new Set(of(paints)));
		const moved = moves && new Set(of(moves));
		const rules = axe.getRules(tags).map((rule) => rule.ruleId).filter((id) => {
			if (moves && aboutViews.test(id)) return moved.size > 0 || unseen.some((key) => outline.has(key));
			if (moves && !asked.has(id)) asked.set(id, moved);
			return asked.get(id)?.size !== 0;
		});
		let findings = [];
		if (rules.length > 0) {
			const options = { runOnly: rules };
			const results = await run(document, options);
			findings = await described(document, options, results);
		}
		checked = findings.length === 0 ? view : null;
		return findings;
	};

	// place is the way to an element, which decides what its role is and whether it is in a landmark.
	const place = (element) => {
		const names = [];
		for (let e = element; e; e = e.parentElement) if (e.localName !== "div" || e.role) names.push(e.localName + (e.role ?? ""));
		return names.join("<");
	};

	// move is the key of an element that came, or of which a part came or went: what of it is shown, and where. Words,
	// addresses and classes decide nothing about it, but for words and attributes that are missing.
	const move = (element) => hash("move " + place(element) + shape(element));

	// told are the attributes whose values decide about an element. Of others, their presence does.
	const told = /^(role|type|scope|lang|tabindex|alt|autocomplete|aria-(hidden|current|expanded|checked|selected|pressed|disabled|live|sort|level))$/;

	const shape = (element) => {
		if (!view.visible.get(element)) return "";
		const attributes = [...element.attributes].map(({ name, value }) => name + (value === "" ? "" : told.test(name) ? "=" + value : "="));
		const parts = element.localName === "svg" ? [] : [...element.childNodes].map((node) =>
			node.nodeType === Node.ELEMENT_NODE ? shape(node) : node.nodeType === Node.TEXT_NODE && node.data.trim() !== "" ? "text" : "");
		const different = parts.filter((part, i) => part !== "" && part !== parts[i - 1]);
		return `<${element.localName} ${attributes.join(" ")} ${element.labels?.length}>${different.join("")}</>`;
	};

	// outlineOf returns the keys of the page's outline in this view: which heading follows on which, in what each landmark
	// is, and whether two have one name.
	const outlineOf = () => {
		const seen = (selector) => [...document.querySelectorAll(selector)].filter((element) => view.visible.get(element));
		const headings = seen("h1, h2, h3, h4, h5, h6").map((e) => e.localName + (e.textContent.trim() === "" ? " empty" : ""));
		const landmarks = seen("main, nav, header, footer, aside, section, form, [role]");
		const names = landmarks.map((e) => [e.role ?? e.localName, e.getAttribute("aria-label") ??
			document.getElementById(e.getAttribute("aria-labelledby"))?.textContent].join());
		return new Set([
			...headings.map((heading, i) => `outline ${headings[i - 1]} ${heading}`),
			...landmarks.map((e, i) => `outline ${place(e)} ${names.indexOf(names[i]) !== names.lastIndexOf(names[i])}`),
			`outline ${seen("main").length} ${seen("h1").length}`,
		]);
	};

	// hash shortens a key to 64 bits, in two halves made as FNV-1a makes its own.
	const hash = (text) => {
		let low = 0x811c9dc5, high = 0x9dc5811c;
		for (let i = 0; i < text.length; i++) {
			const c = text.charCodeAt(i);
			low = Math.imul(low ^ c, 0x01000193);
			high = Math.imul(high ^ c, 0x85ebca6b);
		}
		return (low >>> 0).toString(36) + (high >>> 0).toString(36);
	};

	// doubtfulTargets returns the targets about which the rule target-size is asked. It compares each target with all others
	// and takes a third of the time of all rules. Other targets are plainly right: 24 px wide and high and apart from all
	// others, or so far from them that a circle of 24 px around the target's center is free (WCAG 2.2, 2.5.8).
	const doubtfulTargets = () => {
		const size = 24;
		const all = [...document.querySelectorAll("a[href], area[href], button, input, select, textarea, summary, [tabindex][role]")]
			.filter((element) => view.visible.get(element) && !element.matches(`[role="region"], [role="group"]`))
			.map((element) => ({ element, box: element.getBoundingClientRect(), parts: element.getClientRects().length }));
		const gap = (x, y, box) => Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
		return new Set(all.filter(({ element, box, parts }) => {
			if (parts !== 1) return true;
			const large = box.width >= size && box.height >= size;
			const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
			return all.some((other) => {
				if (other.element === element) return false;
				const o = other.box;
				if (large) return box.left < o.right && o.left < box.right && box.top < o.bottom && o.top < box.bottom;
				if (gap(x, y, o) <= size / 2) return true;
				return Math.hypot(x - (o.left + o.right) / 2, y - (o.top + o.bottom) / 2) <= size;
			});
		}).map(({ element }) => element));
	};

	// doubtfulRegions returns what scrolls and has nothing in it that the keyboard reaches, as far as a selector tells.
	const doubtfulRegions = () => {
		const reached = "a[href], button, input, select, textarea, summary, audio, video, [tabindex]:not([tabindex='-1'])";
		return new Set([...view.visible].filter(([element, visible]) => visible &&
			(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight) &&
			!element.matches(reached) && !element.querySelector(reached)).map(([element]) => element));
	};

	const hasText = (element) =>
		[...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== "");

	const transparent = /^rgba\(.*, 0\)$/;

	// layer is what an element puts behind the text in it. A positioned element may
	// lie over or under others, so its place in the tree belongs to its layer.
	const layer = (element) => {
		const s = getComputedStyle(element);
		const placed = s.position !== "static" || s.transform !== "none" || s.float !== "none" || s.margin.includes("-");
		const plain = s.backgroundImage === "none" && s.opacity === "1" && s.filter === "none" && s.mixBlendMode === "normal";
		if (plain && !placed && transparent.test(s.backgroundColor)) return { key: "", solid: false };
		const place = placed ? element.localName + "." + element.getAttribute("class") : "";
		return {
			key: [s.backgroundColor, s.backgroundImage, s.backgroundClip, s.opacity, s.filter, s.mixBlendMode, place].join(),
			solid: plain && !placed && s.backgroundColor.startsWith("rgb("),
		};
	};

	// paintsOf returns an element for the key of each paint: everything that the contrast of a text depends on, which is
	// its color, size and weight, and the layers behind it. A link is told from the text around it, so that text belongs
	// to its key.
	const paintsOf = () => {
		const layers = new Map();
		const layerOf = (element) => {
			let of = layers.get(element);
			if (of === undefined) layers.set(element, of = layer(element));
			return of;
		};
		const found = new Map();
		for (const element of document.body.querySelectorAll("*")) {
			if (!hasText(element) && !element.matches("input, select, textarea")) continue;
			if (!element.checkVisibility()) continue;
			const s = getComputedStyle(element);
			const key = [s.color, s.fontSize, s.fontWeight, s.textShadow, s.webkitTextFillColor,
				element.matches(":disabled, :disabled *, [aria-disabled=true], [aria-disabled=true] *"),
				element.textContent.trim().length > 1];
			const link = element.closest("a, [role=link]");
			if (link) {
				const around = getComputedStyle(link.parentElement);
				const line = getComputedStyle(link);
				key.push(around.color, around.fontWeight, line.textDecorationLine, line.borderBottomWidth,
					link.parentElement.textContent.trim() !== link.textContent.trim());
			}
			if (element.matches("input, select, textarea")) key.push(element.localName, element.type, element.placeholder !== "");
			for (let e = element; e; e = e.parentElement) {
				const { key: behind, solid } = layerOf(e);
				if (behind !== "") key.push(behind);
				if (solid) break;
			}
			const text = key.join(";");
			if (!found.has(text)) found.set(text, element);
		}
		return found;
	};

	return { keys, page };
})();
