// What the guide on testing says: the packages are ES modules, so they are transformed.
module.exports = {
  transform: { '\\.js$': ['babel-jest', { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }] },
  transformIgnorePatterns: ['/node_modules/(?!(@roundtable|nanostores)/)'],
}
