/** The addresses of the site and of the repository that stand there before anything is published. */
export const placeholders: readonly [string, string]

/** The files that still have an address that is nobody's. */
export function withPlaceholders(root: string): readonly string[]
