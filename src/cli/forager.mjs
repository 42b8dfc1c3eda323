#!/usr/bin/env node
// The launcher's place until 0.2. Scripts that start Forager by its path in a clone go on for one version; this file goes with 0.4.
await import('../faces/cli/forager.mjs');
