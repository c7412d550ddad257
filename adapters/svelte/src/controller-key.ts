/** The context key of a component's controller. Two copies of this package on a page share it. */
export const CONTROLLER: symbol = Symbol.for('@roundtable/svelte')
