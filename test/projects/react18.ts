import { reactTests } from './react.js'
import { at, inOneDocument, project } from './shared.js'

const react18 = (path: string): string => at(`test/react18/node_modules/${path}`)

/** React 18 from its own workspace; the testing library's ESM file, so that its imports are seen too. */
export const react18Alias = [
  { find: /^react$/, replacement: react18('react/index.js') },
  { find: /^react\/(jsx-(?:dev-)?runtime)$/, replacement: react18('react/$1.js') },
  { find: /^react-dom$/, replacement: react18('react-dom/index.js') },
  { find: /^react-dom\/([a-z-]+)$/, replacement: react18('react-dom/$1.js') },
  {
    find: /^@testing-library\/react$/,
    replacement: at('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
  },
]
export const react18Inline = [/@testing-library\/react/]

export default project({
  name: 'react18',
  include: [...reactTests, 'test/adapters/react18/**/*.test.ts'],
  alias: react18Alias,
  inline: react18Inline,
  test: inOneDocument,
})
