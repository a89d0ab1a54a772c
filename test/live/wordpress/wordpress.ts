import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ended, freePort, until } from '../local-server.ts';

const run = promisify(execFile);
const at = (file: string) => new URL(file, import.meta.url).pathname;

export interface WordPress extends AsyncDisposable {
  /** Submits a form as the script of Contact Form 7 does in a browser; resolves to the `status` of its answer. */
  submit(form: number, answers: Record<string, string>): Promise<string>;
  /** Submits the form of WPForms as its script does in a browser; resolves to whether it confirms. */
  wpforms(answers: Record<string, string | string[]>): Promise<boolean>;
  /** Gives our plugin for WPForms another secret. */
  setSecret(secret: string): Promise<void>;
  /** Runs what WordPress has scheduled, as if this many minutes had passed. */
  cron(minutes: number): Promise<void>;
  /** Sends one form by Elementor's own classes; resolves to `sent` or its error. */
  elementor(about: Record<string, unknown>): Promise<string>;
  forms: number[];
}

interface Options {
  /** The files of WordPress, with contact-form-7 and cf7-to-zapier among its plugins. */
  files: string;
  /** proelements/proelements: its folder `modules/forms` is enough. */
  elementor: string;
  /** WPForms Lite, and where its entries go by our plugin for it. */
  wpforms?: { files: string; url: string; secret: string };
  /** Settings of “CF7 to Webhook”, one object per form. */
  forms: Record<string, unknown>[];
  /** Whether the site's own mail works. */
  mail: boolean;
}

/** WordPress on loopback with a database of its own, in a temporary folder. Needs `php` and MariaDB's programs. */
export async function startWordPress({
  files,
  elementor,
  wpforms,
  forms,
  mail,
}: Options): Promise<WordPress> {
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-live-'));
  const site = join(folder, 'site');
  const port = await freePort();
  const env = { ...process.env, SITE: `127.0.0.1:${port}` };
  await using started = new AsyncDisposableStack();
  started.defer(() => rm(folder, { recursive: true }));
  await cp(files, site, { recursive: true, dereference: true });
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true });
  await writeFile(
    join(site, 'wp-content/mu-plugins/mail.php'),
    `<?php add_filter( 'pre_wp_mail', '${mail ? '__return_true' : '__return_false'}' );`,
  );
  if (wpforms !== undefined) {
    await cp(wpforms.files, join(site, 'wp-content/plugins/wpforms-lite'), {
      recursive: true,
      dereference: true,
    });
    await cp(
      at('../../../connectors/web-form/wpforms-lite.php'),
      join(site, 'wp-content/plugins/wpforms-lite.php'),
    );
  }
  const socket = await startDatabase(folder, started);
  await writeFile(join(site, 'wp-config.php'), config(socket));
  const settings = forms.map((form) => JSON.stringify(form));
  const { stdout } = await run('php', [at('setup.php'), site, ...settings], { env });
  const ids = JSON.parse(/\[[\d,]*\]$/.exec(stdout.trim())?.[0] ?? '[]') as number[];
  const lite = wpforms === undefined ? undefined : ids.pop();
  const setSecret = async (secret: string) => {
    const constants = `define( 'CLINIC_SYNC_ADDRESS', '${wpforms?.url}' );
define( 'CLINIC_SYNC_SECRET', '${secret}' );
define( 'CLINIC_SYNC_FORMS', array( ${lite} ) );`;
    await writeFile(join(site, 'wp-config.php'), config(socket, constants));
  };
  if (wpforms !== undefined) await setSecret(wpforms.secret);
  const server = spawn(
    'php',
    ['-q', '-d', 'opcache.revalidate_freq=0', '-S', `127.0.0.1:${port}`, '-t', site],
    { stdio: 'ignore', env },
  );
  started.defer(() => ended(server));
  await until(() => fetch(`http://127.0.0.1:${port}/?rest_route=/`));

  const running = started.move();
  return {
    forms: ids,
    setSecret,
    async wpforms(answers) {
      const body = new URLSearchParams({ action: 'wpforms_submit', 'wpforms[id]': `${lite}` });
      for (const [name, value] of Object.entries(answers))
        for (const one of [value].flat()) body.append(`wpforms[fields]${name}`, one);
      const address = `http://127.0.0.1:${port}/wp-admin/admin-ajax.php`;
      const answer = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'user-agent': 'Mozilla/5.0' },
      });
      return ((await answer.json()) as { success: boolean }).success;
    },
    async cron(minutes) {
      const script = `$_SERVER['HTTP_HOST'] = getenv( 'SITE' ); require '${site}/wp-load.php';
foreach ( _get_cron_array() as $at => $hooks ) { if ( isset( $hooks['clinic_sync_again'] ) && $at <= time() + 60 * ${minutes} ) {
  foreach ( $hooks['clinic_sync_again'] as $event ) { wp_unschedule_event( $at, 'clinic_sync_again', $event['args'] ); do_action_ref_array( 'clinic_sync_again', $event['args'] ); } } }`;
      await run('php', ['-r', script], { env });
    },
    submit: (form, answers) => submit(`http://127.0.0.1:${port}`, form, answers),
    elementor: async (about) =>
      (await run('php', [at('elementor.php'), site, elementor, JSON.stringify(about)], { env })).stdout,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** An empty database on a socket in the folder; resolves to the socket's name. */
async function startDatabase(folder: string, started: AsyncDisposableStack): Promise<string> {
  const socket = join(folder, 'db.sock');
  const own = ['--no-defaults', `--datadir=${folder}/data`, '--user=root'];
  await run('mariadb-install-db', [...own, '--auth-root-authentication-method=normal']);
  const server = spawn(
    'mariadbd',
    [...own, `--socket=${socket}`, '--skip-networking', `--pid-file=${folder}/pid`],
    { stdio: 'ignore' },
  );
  started.defer(() => ended(server));
  const create = ['--no-defaults', `--socket=${socket}`, '-uroot', '-e', 'CREATE DATABASE wordpress'];
  await until(() => run('mariadb', create));
  return socket;
}

async function submit(address: string, form: number, answers: Record<string, string>): Promise<string> {
  const body = new FormData();
  const own = { _wpcf7: `${form}`, _wpcf7_unit_tag: `wpcf7-f${form}-o1`, consent: '1' };
  for (const [name, value] of Object.entries({ ...own, ...answers })) body.append(name, value);
  const answer = await fetch(`${address}/?rest_route=/contact-form-7/v1/contact-forms/${form}/feedback`, {
    method: 'POST',
    body,
    headers: { 'user-agent': 'Mozilla/5.0' },
  });
  return ((await answer.json()) as { status: string }).status;
}

const config = (socket: string, more = '') => `<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
${more}
$table_prefix = 'wp_';
defined( 'ABSPATH' ) || define( 'ABSPATH', __DIR__ . '/' );
require ABSPATH . 'wp-settings.php';
`;
