export { checkServer } from './check/check-server.js'
export { expectServer, ServerCheckError } from './check/expect-server.js'
export type { CheckedEndpoint, CheckedResource, CheckOptions, CheckResult, CheckRule } from './check/options.js'
