import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { findProgram } from '../program.ts';
import { freePort } from '../store/postgres-server.ts';

export const syncthing = findProgram('syncthing');
export const rclone = findProgram('rclone');

/** A program that is stopped at the end of the test at the latest. */
function running(program: string, args: readonly string[], home: string): { stop(): Promise<void> } {
  const child = spawn(program, args, { env: { ...process.env, HOME: home }, stdio: 'ignore' });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  onTestFinished(stop);
  return { stop };
}

interface Peer {
  home: string;
  folder: string;
  id: string;
  port: number;
}

/** Two computers, by Syncthing on this machine alone, that share a folder. */
export async function sharedFolder(root: string, folders: readonly string[]) {
  const peers: Peer[] = [];
  for (const [n, folder] of folders.entries()) {
    const home = join(root, `home-${n}`);
    await mkdir(folder, { recursive: true });
    await promisify(execFile)(syncthing ?? '', ['generate', '--no-default-folder', `--home=${home}`]);
    const { stdout } = await promisify(execFile)(syncthing ?? '', ['--device-id', `--home=${home}`]);
    peers.push({ home, folder, id: stdout.trim(), port: await freePort() });
  }
  for (const peer of peers) await writeFile(join(peer.home, 'config.xml'), configOf(peer, peers));
  return peers.map(({ home }) => ({
    start: () => running(syncthing ?? '', ['serve', '--no-browser', '--no-restart', `--home=${home}`], home),
  }));
}

function configOf({ folder, port }: Peer, peers: readonly Peer[]): string {
  const devices = peers.map(({ id }) => `<device id="${id}"/>`).join('');
  const addresses = peers.map(
    (peer) => `<device id="${peer.id}"><address>tcp://127.0.0.1:${peer.port}</address></device>`,
  );
  const off = [
    ...['globalAnnounceEnabled', 'localAnnounceEnabled', 'relaysEnabled', 'natEnabled'],
    ...['startBrowser', 'crashReportingEnabled'],
  ].map((name) => `<${name}>false</${name}>`);
  return `<configuration version="36"><folder id="inbox" path="${folder}" type="sendreceive" rescanIntervalS="2" fsWatcherEnabled="true" fsWatcherDelayS="1">${devices}</folder>${addresses.join('')}<gui enabled="false"/><options><listenAddress>tcp://127.0.0.1:${port}</listenAddress>${off.join('')}<urAccepted>-1</urAccepted><reconnectionIntervalS>1</reconnectionIntervalS><autoUpgradeIntervalH>0</autoUpgradeIntervalH></options></configuration>`;
}

/** A folder served by WebDAV on loopback, and rclone to write into it. */
export async function servedFolder(root: string, folder: string) {
  const address = `127.0.0.1:${await freePort()}`;
  running(rclone ?? '', ['serve', 'webdav', folder, '--addr', address, '--config', '/dev/null'], root);
  const remote = `:webdav,url='http://${address}/':`;
  return {
    async run(command: 'copy' | 'sync', from: string) {
      const args = [command, from, remote, '--config', '/dev/null', '--retries', '5', '--ignore-times'];
      await promisify(execFile)(rclone ?? '', args, { env: { ...process.env, HOME: root } });
    },
  };
}
