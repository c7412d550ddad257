import { at, project } from './shared.js'

export default project({
  name: 'types',
  include: [],
  test: {
    typecheck: {
      enabled: true,
      only: true,
      include: ['test/types/**/*.test-d.{ts,tsx}'],
      tsconfig: at('test/types/tsconfig.json'),
      // The native compiler, a fifth of the time; `npm run test:long` asks TypeScript 6 too.
      checker: process.env.TYPES_CHECKER ?? at('test/typescript-7/node_modules/typescript/bin/tsc'),
      // Errors of the sources are reported by the type check of each package.
      ignoreSourceErrors: true,
    },
  },
})
