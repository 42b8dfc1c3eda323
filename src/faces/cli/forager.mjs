#!/usr/bin/env node
// The command `forager`. It is committed, so that npm finds and links it in a clone that is not built yet.
import { existsSync } from 'node:fs';
import module from 'node:module';

// From Node 22.8 on, compiled code is kept in the folder for temporary files: the next start takes less of the processor.
module.enableCompileCache?.();

const built = new URL('../../../dist/bin/main.js', import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write('forager: this clone is not built yet; run: npm run build\n');
  process.exitCode = 2;
}
