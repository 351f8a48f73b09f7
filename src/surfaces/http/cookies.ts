import type { FastifyRequest } from 'fastify';

import type { ClientInfo } from '../../features/handler.ts';
import type { Client } from './client-address.ts';

const FORWARDING = /^(forwarded|x-forwarded-.*|x-real-ip|via)$/;

/** What handlers may know of the browser or program that sent a request. */
export function clientInfo(
  request: FastifyRequest,
  { address, origin, isForwardingIgnored }: Client,
  baseUrl: string,
): ClientInfo {
  const userAgent = request.headers['user-agent'] ?? null;
  return {
    address,
    origin,
    isForwardingIgnored,
    userAgent,
    cookies: readCookies(request.headers.cookie),
    isSecure: isSecure(request, baseUrl),
    host: request.headers.host ?? null,
    isForwarded: Object.keys(request.headers).some((name) => FORWARDING.test(name)),
  };
}

/** The cookies of a request (RFC 6265, 4.2.1). If two have the same name, the first counts: browsers send the closest path first. */
export function readCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const name = pair.slice(0, at).trim();
    cookies[name] ??= pair.slice(at + 1).trim();
  }
  return cookies;
}

/** The scheme of the request's `Origin`; without one, that of the base URL (20.6). */
function isSecure({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { origin } = headers;
  return (origin !== undefined && URL.canParse(origin) ? origin : baseUrl).startsWith('https:');
}
