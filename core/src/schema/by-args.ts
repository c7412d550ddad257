import type { ArgsCode } from './schema.js'

/**
 * The value of `usesArgs` for a schema whose `denormalize` reads the call's arguments.
 *
 * @example
 * ```ts
 * class InCurrency implements SchemaContract {
 *   readonly usesArgs = byArgs
 *   normalize(input: unknown) {
 *     return input
 *   }
 *   denormalize(amounts: unknown, { args }: DenormalizeContext) {
 *     return (amounts as Record<string, number>)[(args[0] as { currency: string }).currency]
 *   }
 * }
 * ```
 */
export const byArgs: ArgsCode = { isArgsCode: true }
