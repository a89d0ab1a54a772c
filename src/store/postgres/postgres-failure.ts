import { Failure, type FailureKind } from '../../platform/failure.ts';
import { networkFault, type Peer } from '../../platform/network/unreachable.ts';

type Explanation = [code: string, kind: FailureKind, message: string, hint: string];

const ADDRESS = 'Check the address under store.postgres, and that the server runs and can be reached.';

/** PostgreSQL's errors, by SQLSTATE or its prefix, with remedies. Its own messages may quote values. */
const explanations: Explanation[] = [
  ['28P01', 'refused', 'The database refused the sign-in', 'Check user and password under store.postgres.'],
  [
    '28',
    'refused',
    'The database does not let this user in from here',
    'Check the user under store.postgres. If the server requires TLS, add ' +
      '?sslmode=verify-full to the address; otherwise allow this machine in its pg_hba.conf.',
  ],
  [
    '3D000',
    'refused',
    'The database does not exist',
    'Create it, or check the address under store.postgres.',
  ],
  [
    '42501',
    'refused',
    'This user may not do what is necessary in the database',
    'Make the user the owner of the database, or grant it CREATE and USAGE on its schema.',
  ],
  [
    '53100',
    'transient',
    'The disk of the database is full',
    'Free space on its volume; work then continues.',
  ],
  [
    '53300',
    'transient',
    'The database has no connection left',
    'Raise max_connections, or what the user or the database is limited to, or ' +
      'put a pooler in front of it. A daemon takes up to 6.',
  ],
  ['53', 'transient', 'The database lacks memory or another resource', 'Look at the log of the database.'],
  [
    '25006',
    'transient',
    'The database cannot be written: it is read-only or a replica',
    'Check that the address under store.postgres is that of the primary server.',
  ],
  [
    '57014',
    'transient',
    'The database ended a statement that took longer than it allows',
    'Raise statement_timeout for this user; look at the load of the server.',
  ],
  ['57', 'transient', 'The database is being stopped or started', 'Work continues when it runs.'],
  [
    '08P01',
    'transient',
    'The database, or a pooler in front of it, refused the connection',
    'Look at the log of the pooler: it has to know the database and the user.',
  ],
  ['08', 'transient', 'The connection to the database was lost', ADDRESS],
  ['40', 'transient', 'Another process changed the same rows', 'Try again.'],
  ['55P03', 'transient', 'Another process is writing to the database', 'Wait, or end what holds it open.'],
  ['25P0', 'transient', 'The database ended a transaction that stood still or took too long', 'Try again.'],
  ['23', 'refused', 'The database refused a row that breaks its rules', 'Please report this.'],
  [
    'XX',
    'refused',
    'The database is damaged or has a fault',
    'Look at the log of the database; restore a backup if its files are damaged.',
  ],
  ['58', 'transient', 'The disk of the database failed', 'Look at the log of the database.'],
];

const SERVER: Peer = {
  name: 'the server of the database',
  setting: 'store.postgres',
  trust: 'sslrootcert',
};

/** Codes of Node and OpenSSL, or their prefixes. */
const systemErrors: Explanation[] = [
  ['ENOTFOUND', 'transient', 'The server of the database has no address', ADDRESS],
  ['EAI_AGAIN', 'transient', 'The server of the database has no address', ADDRESS],
  ['ECONNREFUSED', 'transient', 'No database answers', ADDRESS],
  ['ENOENT', 'transient', 'No database answers', ADDRESS],
  [
    'ERR_OSSL',
    'refused',
    'A certificate or key named in the database address is not valid',
    'Check the files after sslrootcert, sslcert and sslkey under store.postgres.',
  ],
];

const unreadableFile: Explanation = [
  '',
  'refused',
  'A file named in the database address cannot be read',
  'Check the paths after sslrootcert, sslcert and sslkey under store.postgres, and their permissions.',
];

/** The driver's own messages, verbatim, because it gives these errors no code. */
const driverErrors: Explanation[] = [
  [
    'The server does not support SSL connections',
    'refused',
    'The server of the database does not speak TLS',
    'Switch it on there (ssl = on), or leave sslmode out of the address if no one else can listen on the way.',
  ],
  [
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a',
    'refused',
    'The database asks for a password',
    'Put it into the address under store.postgres: postgres://USER:PASSWORD@HOST:5432/DATABASE.',
  ],
];

/** SQLSTATE of an error reported by the server. */
export function sqlState(error: unknown): string | undefined {
  if (error instanceof Failure) return sqlState(error.cause);
  const { code, severity } = fieldsOf(error);
  return typeof severity === 'string' && typeof code === 'string' ? code : undefined;
}

const fieldsOf = (
  error: unknown,
): { code?: unknown; severity?: unknown; message?: unknown; syscall?: unknown } =>
  typeof error === 'object' && error !== null ? error : {};

/** Marks connection failures, whose errors have no code from the server. */
class ConnectionLost extends Error {}

/** The server is gone or closed the connection: whether it executed the last statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Failure) return error.cause instanceof ConnectionLost || isConnectionLost(error.cause);
  const code = sqlState(error);
  if (code !== undefined) return /^(08|57P|25P0[34])/.test(code);
  return error instanceof ConnectionLost;
}

/** The connection does not have the named statement, has it already, or has planned it for other columns. */
export const isNotKept = (error: unknown): boolean => /^(26000|42P05|0A000)/.test(sqlState(error) ?? '');

/** The server has become read-only, or no longer trusts this session: a new one may reach another server. */
export const isOfSession = (error: unknown): boolean => /^(25006|28)/.test(sqlState(error) ?? '');

/** Nothing was written, and a retry may succeed. */
export const isBusy = (error: unknown): boolean =>
  isConnectionLost(error) || /^(40001|40P01|55P03)/.test(sqlState(error) ?? '');

/** The database failed, as opposed to a violated constraint. */
export const isStorage = (error: unknown): boolean => {
  const code = sqlState(error);
  return code === undefined ? isConnectionLost(error) : !code.startsWith('23');
};

/** Explains an error that did not come from the server. */
function ofThisSide(error: unknown, code: string): Explanation | undefined {
  const { message = '', syscall } = fieldsOf(error);
  if (syscall === 'open') return unreadableFile;
  if (code !== '') return systemErrors.find(([known]) => code.startsWith(known)) ?? ofSecureConnection(error);
  return driverErrors.find(([known]) => String(message).startsWith(known));
}

function ofSecureConnection(error: unknown): Explanation | undefined {
  const fault = networkFault(error, SERVER);
  if (fault?.lasting !== true) return undefined;
  const { code, what, detail, hint } = fault;
  return [code, 'refused', `The server of the database ${what}${detail ? ` (${detail})` : ''}`, hint];
}

/** `place`: the database's name in messages. */
export function postgresFailure(error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const code = sqlState(error);
  const said = String(fieldsOf(error).code ?? '');
  const found =
    code === undefined ? ofThisSide(error, said) : explanations.find(([known]) => code.startsWith(known));
  const otherwise: Explanation =
    code === undefined
      ? ['', 'transient', 'The connection to the database was lost or refused', ADDRESS]
      : ['', 'transient', 'The database failed', 'Look at the log of the database.'];
  const [, kind, message, hint] = found ?? otherwise;
  const named = code ?? said;
  return new Failure({
    kind,
    message: `${message} (${place}${named === '' ? '' : `, ${named}`}).`,
    hint,
    cause: code === undefined ? new ConnectionLost(undefined, { cause: error }) : error,
  });
}
