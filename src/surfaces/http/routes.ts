import type { FastifyReply, FastifyRequest } from 'fastify';

import { LIMITS } from '../../kernel/limits.ts';

/** What answers some methods of a path. */
export interface Route {
  /** `/things/:id`: a parameter is a whole part of the path. */
  readonly url: string;
  readonly methods: readonly string[];
  /** Whether other methods are refused without a key. */
  readonly isOpen: boolean;
  /** The most bytes that a body has, if not as many as of JSON. */
  readonly bodyLimit?: number;
  /** Refuses a request before its body is read. */
  readonly onRequest?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;
}

export const READING = ['GET', 'HEAD'] as const;

/** A path with the routes of all its methods. */
export interface ServedPath {
  readonly url: string;
  readonly isOpen: boolean;
  readonly routes: ReadonlyMap<string, Route>;
}

export interface Found {
  path: ServedPath;
  params: Record<string, string>;
}

export interface Routes {
  add(route: Route): void;
  /**
   * The path that an address belongs to, whatever the method: a literal part of a path takes precedence over a parameter, so
   * `DELETE /things/count` never deletes the thing of that name.
   */
  find(address: string): Found | undefined;
}

interface Served extends ServedPath {
  readonly names: readonly string[];
  isOpen: boolean;
  readonly routes: Map<string, Route>;
}

/** The paths that begin with the same parts. */
interface Branch {
  readonly literals: Map<string, Branch>;
  parameter: Branch | undefined;
  path: Served | undefined;
}

/** Fastify knows two routes only: it takes far longer to prepare hundreds of them, at every start. */
export function createRoutes(): Routes {
  const root = newBranch();
  return {
    add(route) {
      const parts = route.url.split('/');
      const branch = parts.reduce(grow, root);
      const names = parts.filter(isParameter).map((part) => part.slice(1));
      const path = (branch.path ??= { url: route.url, names, isOpen: false, routes: new Map() });
      path.isOpen ||= route.isOpen;
      for (const method of route.methods) {
        if (path.routes.has(method)) throw new Error(`${method} ${route.url} is served twice.`);
        path.routes.set(method, route);
      }
    },
    find(address) {
      const parts = pathOf(address).split('/').map(decoded);
      const values: string[] = [];
      const path = search(root, parts, 0, values);
      if (!path) return undefined;
      return { path, params: Object.fromEntries(path.names.map((name, index) => [name, values[index] as string])) };
    },
  };
}

function newBranch(): Branch {
  return { literals: new Map(), parameter: undefined, path: undefined };
}

function grow(branch: Branch, part: string): Branch {
  if (isParameter(part)) return (branch.parameter ??= newBranch());
  const known = branch.literals.get(part);
  if (known) return known;
  const next = newBranch();
  branch.literals.set(part, next);
  return next;
}

function isParameter(part: string): boolean {
  return part.startsWith(':');
}

/** Leaves the values of the parameters in `values`. */
function search(branch: Branch, parts: readonly string[], index: number, values: string[]): Served | undefined {
  const part = parts[index];
  if (part === undefined) return branch.path;
  const literal = branch.literals.get(part);
  const found = literal && search(literal, parts, index + 1, values);
  if (found || !branch.parameter) return found;
  values.push(part);
  const other = search(branch.parameter, parts, index + 1, values);
  if (!other) values.pop();
  return other;
}

/** Without the query; a proxy may be sent the whole address. */
function pathOf(address: string): string {
  const path = address.split(/[?#]/)[0] as string;
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '') || '/';
}

function decoded(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part;
}

const taken = new WeakMap<FastifyRequest, Route>();

/** Notes which route a request takes. */
export function take(route: Route, request: FastifyRequest): void {
  taken.set(request, route);
}

/** undefined if the request is refused before it is known. */
export function routeOf(request: FastifyRequest): Route | undefined {
  return taken.get(request);
}

export function bodyLimitOf(request: FastifyRequest): number {
  return routeOf(request)?.bodyLimit ?? LIMITS.jsonBodyBytes;
}
