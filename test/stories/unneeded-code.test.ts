/** @module-tag thorough */
import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { launchDaemon, untilReady } from '../support/daemon/daemon-process.ts';
import { until } from '../support/until.ts';

/** Says on exit whether what Node's `fetch` needs was loaded. */
const tell = `process.on('exit',()=>process._rawDebug('undici:'+process.moduleLoadList.some((name)=>/undici.undici/.test(name))))`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`;

it('serves and asks a clinic without loading undici, which it never needs', async () => {
  await using story = await startStory({ name: 'unneeded-code' });
  const daemon = launchDaemon({ config: story.config, cwd: story.folder, environment: { NODE_OPTIONS } });
  await untilReady(daemon);
  await until('the files of the clinic are there', () => story.csv('manifest.json').then(() => true));

  const { output } = await daemon.terminate();

  expect(output).toMatch(/undici:(true|false)/);
  expect(output).toContain('undici:false');
});
