/** Replaces style sheets in tests: each class has the name that it has in the source. */
export default new Proxy({}, { get: (_, name) => String(name) })
