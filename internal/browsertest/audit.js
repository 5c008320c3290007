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

	// page returns the findings of the rules with the given tags, without some rules.
	const page = async (tags, without) => {
		const options = { runOnly: tags, rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) };
		return described(document, options, await run(document, options));
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

	// colors returns the findings of rules in the elements with some paints.
	const colors = async (keys, rules) => {
		const context = { include: keys.flatMap((key) => found.get(key)) };
		const options = { runOnly: rules };
		return described(context, options, await run(context, options));
	};

	return { page, paints, colors };
})();
