import { react18Alias, react18Inline } from './react18.js'
import { at, inOneDocument, project } from './shared.js'

// The application of test/compat on the real packages.
export default project({
  name: 'data-client',
  include: ['test/compat/app.test.tsx'],
  alias: [
    ...react18Alias,
    { find: /^@data-client\/react$/, replacement: at('test/react18/node_modules/@data-client/react/lib/index.js') },
    {
      find: /^@data-client\/use-enhanced-reducer$/,
      replacement: at('node_modules/@data-client/use-enhanced-reducer/lib/index.js'),
    },
  ],
  inline: [...react18Inline, /@data-client/],
  test: inOneDocument,
})
