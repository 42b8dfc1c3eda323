import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { TreeCpu, treeOf } from './process-tree.ts';

const hasProc = process.platform === 'linux';
const BUSY = 'while (process.cpuUsage().user < 400000);';

test.skipIf(!hasProc)('the time of a child counts after it has ended, also when its parent has', async () => {
  // The shell ends first; the two that it has started do not.
  const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" -e "${BUSY}" & "${process.execPath}" -e "${BUSY}" & sleep 0.3`], {
    stdio: 'ignore',
  });
  const cpu = new TreeCpu(shell.pid ?? 0, 20);
  await once(shell, 'close');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const { own, others } = cpu.stop();
  expect(own).toBeLessThan(0.3);
  expect(others).toBeGreaterThan(0.4);
});

test.skipIf(!hasProc)('a tree has its root and those that descend from it, no other', async () => {
  const shell = spawn('/bin/sh', ['-c', 'sleep 30 & sleep 30 & wait'], { stdio: 'ignore', detached: true });
  onTestFinished(() => {
    process.kill(-(shell.pid ?? 0), 'SIGKILL');
  });
  const root = shell.pid ?? 0;
  for (let tries = 0; treeOf(root).length < 3 && tries < 100; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(treeOf(root).map(({ group }) => group)).toEqual([root, root, root]);
  expect(treeOf(process.pid).map(({ pid }) => pid)).toContain(root);
});
