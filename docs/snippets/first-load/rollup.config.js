import nodeResolve from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import terser from '@rollup/plugin-terser'

export default {
  input: 'src/main.js',
  output: {
    dir: 'dist',
    manualChunks: (id) =>
      /[\\/]@roundtable[\\/]/.test(id) ? 'roundtable' : undefined,
    banner: ({ name }) =>
      name === 'roundtable' ? '//# allFunctionsCalledOnLoad' : '',
  },
  plugins: [
    nodeResolve({ browser: true }),
    replace({
      preventAssignment: true,
      'process.env.NODE_ENV': '"production"',
    }),
    // Terser removes comments, but not this one.
    terser({ format: { comments: /allFunctionsCalledOnLoad/ } }),
  ],
}
