import { describeType } from '../util/describe.js'
import { OptionError } from '../util/errors.js'

/**
 * Checks the managers of a controller: the usual mistakes are a missing list, call or `new`.
 *
 * @throws OptionError that describes the value and the fix
 */
export function checkManagers(managers: unknown): void {
  const advice = 'Write managers: [revalidate(), new LogoutManager()].'
  if (!Array.isArray(managers))
    throw new OptionError('managers', `must be a list, found ${describeType(managers)}. ${advice}`)
  for (const manager of managers as readonly ({ readonly start?: unknown } | undefined)[])
    if (typeof manager?.start !== 'function')
      throw new OptionError('managers', `must be a list of managers, found ${describeType(manager)} in it. ${advice}`)
}
