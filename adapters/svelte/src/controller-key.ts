/** Under which a component provides its controller. Two copies of this package on a page agree on it. */
export const CONTROLLER: symbol = Symbol.for('@roundtable/svelte')
