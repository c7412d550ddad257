// What a Metro that does not know package.json's exports finds: the entry by `main`.
const { existsSync, readFileSync, realpathSync, statSync } = require('node:fs')
const { dirname, join, relative } = require('node:path')
const { resolve } = require('metro-resolver')

const origin = join(__dirname, 'app.js')
const context = {
  allowHaste: false,
  assetExts: new Set(),
  customResolverOptions: {},
  disableHierarchicalLookup: false,
  doesFileExist: existsSync,
  extraNodeModules: {},
  fileSystemLookup,
  getPackage: (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null),
  getPackageForModule: () => null,
  mainFields: ['react-native', 'browser', 'main'],
  nodeModulesPaths: [join(__dirname, '../node_modules')],
  originModulePath: origin,
  preferNativePlatform: true,
  redirectModulePath: (path) => path,
  resolveAsset: () => undefined,
  resolveHasteModule: () => undefined,
  resolveHastePackage: () => undefined,
  sourceExts: ['ts', 'tsx', 'js', 'json'],
  unstable_conditionNames: [],
  unstable_conditionsByPlatform: {},
  unstable_enablePackageExports: false,
  unstable_logWarning: console.error,
}

function fileSystemLookup(path) {
  if (!existsSync(path)) return { exists: false }
  return { exists: true, type: statSync(path).isDirectory() ? 'd' : 'f', realPath: realpathSync(path) }
}

for (const name of ['@roundtable/core', '@roundtable/react']) {
  const { type, filePath } = resolve(context, name, 'ios')
  console.log(type, relative(dirname(__dirname), filePath))
}
