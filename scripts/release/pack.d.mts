/**
 * The text of a page as a package has it: links to what the package does not have lead to the site and the repository,
 * or become text while their addresses are placeholders.
 *
 * @param page - where it is in the repository, as `core/README.md`
 * @param addresses - of the site and of the repository
 */
export function packedText(text: string, page: string, addresses?: readonly [string, string]): string
