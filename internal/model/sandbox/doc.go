// Package sandbox is the other side of both dialects of language models: a server that answers by rules, not by a
// model. It reads the fields to collect and the tools from the request, asks for one field after the other, records the
// answers by calling tools, and says goodbye. So campaigns of model agents can be tried without an account anywhere. It
// also plays the recipient and the judge of an agent's tests, by rules too. Names of models choose faults.
package sandbox
