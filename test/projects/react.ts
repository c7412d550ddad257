import { at, inOneDocument, project } from './shared.js'

export const reactTests = ['test/adapters/react/**/*.test.{ts,tsx}']

export default project({
  name: 'react',
  // React 18 knows no server components, so they are not in the suite that both run.
  include: [...reactTests, 'test/adapters/react-server/**/*.test.tsx'],
  alias: [{ find: /^next\/navigation\.js$/, replacement: at('test/adapters/react-server/next-navigation.ts') }],
  test: inOneDocument,
})
