#!/usr/bin/env node
// The commands `hunt` and `KeywordHunter`: `forager hunt` under names of their own.
process.argv.splice(2, 0, 'hunt');
await import('./forager.mjs');
