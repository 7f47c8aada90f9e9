// Loaded before a program: the native addon of secp256k1 does not load, as on a platform without one.
const Module = require('node:module')

const load = Module._load
Module._load = function loadOthers(request, ...rest) {
  if (request === 'node-gyp-build') throw new Error('no native build was found')
  if (request === 'elliptic') throw new Error('a library that is not constant-time was loaded')
  return load.call(this, request, ...rest)
}
