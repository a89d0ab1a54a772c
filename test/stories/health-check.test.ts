/** @module-tag thorough */
import { expect, it } from 'vitest';
import { startStory } from '../support/daemon/clinic-story.ts';
import { launchDaemon, runBare, untilReady } from '../support/daemon/daemon-process.ts';

it('a container’s health check reads no configuration while the daemon is ready, and does when it is not', async () => {
  await using story = await startStory({ name: 'health-check' });
  const options = {
    config: story.config,
    cwd: story.folder,
    environment: {
      CLINIC_SYNC_ADDRESS_FILE: `${story.folder}/address`,
      CLINIC_SYNC_CONFIG: `${story.folder}/missing.yaml`,
    },
  };
  const daemon = launchDaemon(options);
  await untilReady(daemon);

  expect(await runBare(['health'], options)).toMatchObject({ code: 0, output: 'ready\n' });
  await daemon.terminate();

  const after = await runBare(['health'], options);
  expect(after).toMatchObject({ code: 78 });
  expect(after.output).toContain('missing.yaml');
});
