/**
 * One of several places of a program that do the same, chosen by a name: each then meets the objects of few names.
 *
 * @example placeFor([() => 1, () => 1], 'Todo')() // 1
 */
export function placeFor<Place>(places: readonly Place[], name: string): Place {
  let sum = 0
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521
  // The index is always one of the list.
  return places[sum % places.length] as Place
}
