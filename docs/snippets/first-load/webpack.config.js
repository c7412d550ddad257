import webpack from 'webpack'

export default {
  mode: 'production',
  entry: './src/main.js',
  optimization: {
    splitChunks: {
      cacheGroups: {
        roundtable: {
          name: 'roundtable',
          test: /[\\/]@roundtable[\\/]/,
          chunks: 'all',
          enforce: true,
        },
      },
    },
  },
  plugins: [
    new webpack.BannerPlugin({
      banner: '//# allFunctionsCalledOnLoad',
      raw: true,
      include: /roundtable/,
      // After the minimizer, which removes comments, and before source maps are written.
      stage: webpack.Compilation.PROCESS_ASSETS_STAGE_DEV_TOOLING - 1,
    }),
  ],
}
