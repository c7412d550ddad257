export { HandClock, settle } from '@roundtable/core/testing'
