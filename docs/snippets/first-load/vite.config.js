import { defineConfig } from 'vite'

export default defineConfig({
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'roundtable', test: /[\\/]@roundtable[\\/]/ }],
        },
        postBanner: ({ name }) =>
          name === 'roundtable' ? '//# allFunctionsCalledOnLoad' : '',
      },
    },
  },
})
