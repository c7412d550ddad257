/** Something that must hold does not. */
export class Wrong extends Error {
  override readonly name = 'Wrong'
}

/** Says what is wrong unless something holds. */
export function must(holds: boolean, what: string | (() => string)): asserts holds {
  if (!holds) throw new Wrong(typeof what === 'string' ? what : what())
}
