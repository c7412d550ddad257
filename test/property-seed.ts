import fc from 'fast-check'

// The property tests try the same cases in every run, so that a red run is due to the change that it tests.
// PROPERTY_SEED tries others.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20261122) })
