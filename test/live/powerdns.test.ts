import { join } from "node:path";
import { findFreePort } from "./process.js";
import { testServer } from "./live-test.js";
import type { Launch, LaunchSite, LiveCall, Variant } from "./types.js";

const secret = "live-test-key";
const server = { server_id: "localhost" };
const zone = { ...server, zone_id: "example.org." };

/** Starts the server on loopback, with LMDB for its zones. */
async function start({ installation, data, port }: LaunchSite): Promise<Launch> {
  const libraries = join(installation, "debian/usr/lib/x86_64-linux-gnu");
  const settings = {
    "config-dir": data,
    "socket-dir": data,
    "module-dir": join(libraries, "pdns"),
    launch: "lmdb",
    "lmdb-filename": join(data, "zones.lmdb"),
    api: "yes",
    "api-key": secret,
    webserver: "yes",
    "webserver-address": "127.0.0.1",
    "webserver-port": port,
    "local-address": "127.0.0.1",
    "local-port": await findFreePort(),
    "security-poll-suffix": "",
    daemon: "no",
    guardian: "no",
  };
  return {
    command: join(installation, "debian/usr/sbin/pdns_server"),
    args: Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    env: { LD_LIBRARY_PATH: libraries },
  };
}

const createZone = (name: string): LiveCall => ({
  kind: "create",
  tool: "create_zone",
  arguments: { ...server, name, kind: "Native", nameservers: ["ns1.example.org."] },
  says: [`"name":"${name}"`],
});

const records = (name: string, address: string): readonly unknown[] => [
  { name, type: "A", ttl: 300, changetype: "REPLACE", records: [{ content: address }] },
];

const plain: Variant = {
  name: "plain",
  calls: [
    { kind: "list", tool: "find_servers", says: ["localhost"] },
    { kind: "list", tool: "find_zones", arguments: server, says: ['"items":[]'] },
    createZone("example.org."),
    createZone("example.com."),
    {
      kind: "conflict",
      tool: "create_zone",
      arguments: { ...server, name: "example.org.", kind: "Native" },
      expect: "error",
      says: ["409"],
    },
    {
      kind: "wrong input",
      tool: "create_zone",
      arguments: { ...server, name: "example", kind: "Native" },
      expect: "error",
      says: ["422", "is not canonical"],
    },
    {
      kind: "wrong input",
      tool: "create_zone",
      arguments: { ...server, name: "example.net.", kind: "native", nameserver: "ns1" },
      expect: "error",
      says: ["kind", "nameserver"],
    },
    { kind: "find", tool: "find_zones", arguments: zone, says: ["ns1.example.org."] },
    { kind: "find", tool: "find_zones", arguments: { ...server, zone: "example.com." } },
    {
      kind: "wrong ID",
      tool: "find_zones",
      arguments: { ...server, zone_id: "example.net." },
      expect: "error",
      says: ["404"],
    },
    { kind: "wrong ID", tool: "find_zones", arguments: { server_id: "remote" }, expect: "error" },
    {
      kind: "change",
      tool: "update_zone",
      arguments: { ...zone, rrsets: records("www.example.org.", "192.0.2.1") },
    },
    {
      kind: "wrong input",
      tool: "update_zone",
      arguments: { ...zone, kind: "Master" },
      expect: "error",
      says: ["422", "No rrsets given"],
    },
    {
      kind: "wrong input",
      tool: "update_zone",
      arguments: { ...zone, rrsets: records("www.example.com.", "192.0.2.1") },
      expect: "error",
      says: ["422"],
    },
    { kind: "change", tool: "put_zone", arguments: { ...zone, kind: "Master" } },
    { kind: "page", tool: "search_data", arguments: { ...server, q: "*example*", max: 1 } },
    { kind: "page", tool: "search_data", arguments: { ...server, q: "*example*", max: 50 } },
    {
      kind: "download",
      tool: "get_axfr_export_zone",
      arguments: zone,
      says: ["www.example.org.", "192.0.2.1"],
    },
    {
      kind: "create",
      tool: "create_zone_metadata",
      arguments: { ...zone, kind: "ALLOW-AXFR-FROM", metadata: "AUTO-NS" },
    },
    { kind: "list", tool: "find_zone_metadata", arguments: zone, says: ["ALLOW-AXFR-FROM"] },
    {
      kind: "find",
      tool: "find_zone_metadata",
      arguments: { ...zone, metadata_kind: "ALLOW-AXFR-FROM" },
    },
    {
      kind: "delete",
      tool: "delete_zone_metadata",
      arguments: { ...zone, metadata_kind: "ALLOW-AXFR-FROM" },
    },
    {
      kind: "create",
      tool: "create_tsig_key",
      arguments: { ...server, name: "key", algorithm: "hmac-sha256", key: "c2VjcmV0LXNlY3JldA==" },
      save: { key: "/id" },
    },
    {
      kind: "conflict",
      tool: "create_tsig_key",
      arguments: { ...server, name: "key", algorithm: "hmac-sha256" },
      expect: "error",
      says: ["409", "already exists"],
    },
    {
      kind: "change",
      tool: "update_tsig_key",
      arguments: { ...server, tsigkey_id: "$key", algorithm: "hmac-sha512" },
      says: ["hmac-sha512"],
    },
    { kind: "delete", tool: "delete_tsig_key", arguments: { ...server, tsigkey_id: "$key" } },
    {
      kind: "wrong ID",
      tool: "find_tsig_keys",
      arguments: { ...server, tsigkey_id: "$key" },
      expect: "error",
      says: ["404"],
    },
    { kind: "other", tool: "notify_zone", arguments: zone },
    { kind: "other", tool: "rectify_zone", arguments: zone },
    {
      kind: "conflict",
      tool: "retrieve_axfr_zone",
      arguments: zone,
      expect: "error",
      says: ["422", "is not a slave domain"],
    },
    { kind: "other", tool: "get_error", expect: "error" },
    {
      kind: "no credentials",
      tool: "find_zones",
      arguments: server,
      credentials: "none",
      expect: "error",
      says: ["POWER_DNS_AUTHORITATIVE_API_KEY"],
    },
    {
      kind: "no credentials",
      tool: "delete_zone",
      arguments: zone,
      credentials: "wrong",
      expect: "error",
      says: ["401", "POWER_DNS_AUTHORITATIVE_API_KEY"],
    },
    { kind: "delete", tool: "delete_zone", arguments: zone },
    { kind: "delete", tool: "delete_zone", arguments: zone, expect: "error", says: ["404"] },
    { kind: "server stopped", tool: "find_zones", arguments: server },
    { kind: "server stopped", tool: "delete_zone", arguments: zone },
  ],
};

const workflows = `arazzo: 1.0.1
info: {title: Tasks of the name server, version: 1.0.0}
sourceDescriptions: [{name: dns, type: openapi, url: ./openapi.json}]
workflows:
  - workflowId: zone-with-address
    summary: Create a zone and give one name in it an address.
    inputs:
      type: object
      required: [zone, name, address]
      properties:
        zone: {type: string, description: Name of the zone with a final dot.}
        name: {type: string, description: Name with a final dot.}
        address: {type: string, description: IPv4 address.}
    steps:
      - stepId: create
        description: Create the zone.
        operationId: createZone
        parameters: [{name: server_id, in: path, value: localhost}]
        requestBody: {payload: {name: $inputs.zone, kind: Native}}
        outputs: {zoneId: $response.body#/id}
      - stepId: address
        description: Set the address.
        operationId: patchZone
        parameters:
          - {name: server_id, in: path, value: localhost}
          - {name: zone_id, in: path, value: $steps.create.outputs.zoneId}
        requestBody:
          payload:
            rrsets:
              - name: $inputs.name
                type: A
                ttl: 300
                changetype: REPLACE
                records: [{content: $inputs.address}]
    outputs: {zone_id: $steps.create.outputs.zoneId}
`;

const task = { zone: "example.org.", name: "www.example.org.", address: "192.0.2.1" };

const configured: Variant = {
  name: "configured",
  workflows,
  configuration: `version: 1
workflows: [./tasks.arazzo.yaml]
parameters: {server_id: {fixed: localhost}}
select:
  rules: [{match: {path: /error}, include: false}]
tools:
  create_zone_with_address: {workflow: zone-with-address}
  find_zones: {output: {pick: [id, kind, serial]}}
  delete_zone: {errors: {"404": "The zone {zone_id} does not exist. Call {tool:find_zones} to list zones."}}
`,
  calls: [
    { kind: "workflow", tool: "create_zone_with_address", arguments: task },
    {
      kind: "workflow",
      tool: "create_zone_with_address",
      arguments: task,
      expect: "error",
      says: ["409"],
    },
    {
      kind: "workflow",
      tool: "create_zone_with_address",
      arguments: { ...task, zone: "example.com." },
      expect: "error",
      says: ["422"],
    },
    { kind: "list", tool: "find_zones", says: ["example.com."] },
    { kind: "download", tool: "get_axfr_export_zone", arguments: { zone_id: "example.org." } },
    {
      kind: "wrong ID",
      tool: "delete_zone",
      arguments: { zone_id: "example.net." },
      expect: "error",
      says: ["The zone example.net. does not exist"],
    },
    { kind: "delete", tool: "delete_zone", arguments: { zone_id: "example.org." } },
    { kind: "server stopped", tool: "create_zone_with_address", arguments: task },
  ],
};

testServer({
  name: "powerdns",
  debian: ["pdns-server", "pdns-backend-lmdb"],
  start,
  ready: "/api/docs",
  document: "/api/docs",
  documentHeaders: { "x-api-key": secret, accept: "application/json" },
  basePath: "/api/v1",
  credentials: { POWER_DNS_AUTHORITATIVE_API_KEY: secret },
  // The API reads and writes no files.
  lacks: ["upload"],
  variants: [plain, configured],
});
