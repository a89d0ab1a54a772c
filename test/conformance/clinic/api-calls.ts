export interface ClinicApiTarget {
  /** Ends in /api/v1. */
  baseUrl: string;
  appKey: string;
  secretKey: string;
}

export interface ApiAnswer {
  status: number;
  contentType: string;
  body: unknown;
}

/** The specification's calls made with fetch alone, so that our client cannot hide what it tolerates. */
export function apiCalls({ baseUrl, appKey, secretKey }: ClinicApiTarget) {
  let token: Promise<string> | undefined;

  const call = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      contentType: answer.headers.get('content-type') ?? '',
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    } satisfies ApiAnswer;
  };

  const grant = (headers: Record<string, string> = { 'x-app-key': appKey, 'x-app-secret-key': secretKey }) =>
    call('POST', '/granttoken', headers);

  /** Section 5, 3: both headers. One token for all calls: a real server may count grants. */
  const credentials = async () => {
    token ??= grant().then(({ body }) => (body as { access_token: string }).access_token);
    return { 'x-app-key': appKey, authorization: `Bearer ${await token}` };
  };

  return {
    call,
    grant,
    credentials,
    get: async (path: string) => call('GET', path, await credentials()),
    book: async (body: unknown, contentType = 'application/json') =>
      call(
        'POST',
        '/appointments/book',
        { ...(await credentials()), 'content-type': contentType },
        typeof body === 'string' ? body : JSON.stringify(body),
      ),
  };
}
export type ApiCalls = ReturnType<typeof apiCalls>;
