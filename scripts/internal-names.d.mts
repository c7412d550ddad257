export function internalNames(folder: string): Record<string, string>
export function memberNames(path: string): ReadonlySet<string>
