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

	// A rule about the page as a whole, or about its layout, has something new to say in every view.
	const aboutViews = /^(region|bypass|heading-order|page-has-heading-one|empty-heading|skip-link|landmark-.*|.*-orientation-lock|scrollable-region-focusable)$/;

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

	// page returns the findings of the rules with the given tags. Rules about colors are asked about the elements with
	// the given paints only.
	const page = async (tags, colorRules, keys) => {
		const now = { version: current(), visible: visibility() };
		const again = checked?.version === now.version;
		const moved = new Set(!again ? [] :
			[...now.visible].filter(([element, visible]) => checked.visible.get(element) !== visible).map(([element, visible]) => around(element, visible)));
		moved.delete(null);
		asked = new Map([["target-size", doubtful()]]);
		for (const id of colorRules) asked.set(id, new Set(keys.flatMap((key) => found.get(key))));
		const rules = axe.getRules(tags).map((rule) => rule.ruleId).filter((id) => {
			if (again && !aboutViews.test(id) && !asked.has(id)) asked.set(id, moved);
			return asked.get(id)?.size !== 0;
		});
		const options = { runOnly: rules };
		const results = await run(document, options);
		const findings = await described(document, options, results);
		checked = findings.length === 0 ? now : null;
		return findings;
	};

	// doubtful returns the targets about which the rule target-size is asked. It compares each target with all others and
	// takes a third of the time of all rules. Other targets are plainly right: 24 px wide and high and apart from all
	// others, or so far from them that a circle of 24 px around the target's center is free (WCAG 2.2, 2.5.8).
	const doubtful = () => {
		const size = 24;
		const all = [...document.querySelectorAll("a[href], area[href], button, input, select, textarea, summary, [tabindex][role]")]
			.filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(`[role="region"], [role="group"]`))
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

	let found = new Map(); // the elements of the page by the key of their paint

	// paints returns the keys of everything that the contrast of the page's texts
	// depends on: color, size and weight of a text, and the layers behind it. A link
	// is told from the text around it, so that text belongs to its key.
	const paints = () => {
		const layers = new Map();
		const layerOf = (element) => {
			let of = layers.get(element);
			if (of === undefined) layers.set(element, of = layer(element));
			return of;
		};
		found = new Map();
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
			found.has(text) ? found.get(text).push(element) : found.set(text, [element]);
		}
		return [...found.keys()];
	};

	return { page, paints };
})();
