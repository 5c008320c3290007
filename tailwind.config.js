/** Tailwind 4 reads this file through `@config` in static/src/app.css.
 *  Tokens and component classes live there; this file only says where utility class names are found. */
module.exports = {
  content: ["./views/**/*.templ"],
  // Colours switch through light-dark() tokens, so `dark:` is never needed. It follows the same switch all the same.
  darkMode: ["variant", "[data-theme=dark] &"],
};
