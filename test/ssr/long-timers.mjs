// Loaded into a build and into programs that render in advance, by NODE_OPTIONS: a timer of 20 s or more lasts for
// days. Stores have such timers; if one is left behind and keeps its process, the process does not end, on a fast
// machine nor on a slow one.
const LONG = 20_000
const FOR_EVER = 2 ** 31 - 1

const { setTimeout: plain } = globalThis
globalThis.setTimeout = (run, ms, ...args) => plain(run, ms >= LONG ? FOR_EVER : ms, ...args)
Object.defineProperties(globalThis.setTimeout, Object.getOwnPropertyDescriptors(plain))
