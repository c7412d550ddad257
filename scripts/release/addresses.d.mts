/** The files that still have an address that is nobody's. */
export function withPlaceholders(root: string): readonly string[]
