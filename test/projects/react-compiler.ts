import { transformAsync } from '@babel/core'
import type { Plugin } from 'vite'
import { reactTests } from './react.js'
import { inOneDocument, project } from './shared.js'

export default project({
  name: 'react-compiler',
  include: [...reactTests, 'test/adapters/react-compiler/**/*.test.tsx'],
  plugins: [reactCompiler()],
  test: inOneDocument,
})

/** Compiles the adapter and its tests with React Compiler before anything else sees them. */
function reactCompiler(): Plugin {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      const [file = ''] = id.split('?')
      if (!/\/(?:adapters\/react\/src|test\/adapters\/react(?:-compiler)?)\/.*\.tsx?$/.test(file)) return null
      const result = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        presets: [['@babel/preset-typescript', { onlyRemoveTypeImports: true }]],
        plugins: ['babel-plugin-react-compiler'],
        parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
      })
      return result?.code ? { code: result.code, map: result.map ?? null } : null
    },
  }
}
