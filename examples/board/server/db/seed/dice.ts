/** Numbers that look like chance and are the same at every start. */
export interface Dice {
  /** A number from 0 to 1, without 1. */
  roll(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(items: readonly T[]): T
}

/** Makes dice of a seed: a linear congruential generator with the constants of Numerical Recipes. */
export function dice(seed: number): Dice {
  let state = seed >>> 0
  const roll = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(roll() * (most - least + 1))
  return {
    roll,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('There is nothing to pick from.')
      return item
    },
  }
}
