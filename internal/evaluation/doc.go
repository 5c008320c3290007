// Package evaluation tests agents before they call anybody. A conversation of a test goes through the code of
// real calls, by text: a recipient of fixed lines, or one that a language model plays, talks with a version or the
// draft of an agent, and checks judge what the agent said and did. Runs of tests are rows that any process works off.
package evaluation
