/** Proxies that may name the caller of a request in a header. */
import type { BlockList } from "node:net";
import type { Policy } from "./guard.js";

type TrustedProxiesResult =
  | { readonly ok: true; readonly isTrustedProxy: (address: string) => boolean }
  | { readonly ok: false; readonly problem: string };

/** Networks of this machine, which a server trusts that only this machine can reach. */
const LOOPBACK = ["127.0.0.0/8", "::1"];

/**
 * Reads the addresses and networks (`10.0.0.0/8`) of trusted proxies. Without any, a server that
 * other machines can reach does not start, because its clients could choose the name of the caller.
 * @param prefix prefix of the environment variables
 */
export async function readTrustedProxies(
  { callerHeader, trustedProxies }: Pick<Policy, "callerHeader" | "trustedProxies">,
  prefix: string,
  isLocal: boolean,
): Promise<TrustedProxiesResult> {
  const variable = `${prefix}_TRUSTED_PROXIES`;
  if (callerHeader !== undefined && trustedProxies.length === 0 && !isLocal)
    return {
      ok: false,
      problem:
        `Refusing to serve other machines: every client could send the header of ${prefix}_CALLER_HEADER. ` +
        `Set ${variable} to the addresses or networks of the proxy that sets it, such as 10.0.0.0/8.`,
    };
  const net = await import("node:net");
  const networks = new net.BlockList();
  const listed = trustedProxies.length > 0 ? trustedProxies : LOOPBACK;
  const invalid = listed.find((text) => !addNetwork(networks, text, net.isIP));
  if (invalid !== undefined)
    return {
      ok: false,
      problem: `${variable}: ${JSON.stringify(invalid)} is not an IP address or a network, such as 10.0.0.0/8.`,
    };
  return { ok: true, isTrustedProxy: (address) => isListed(networks, address, net.isIP) };
}

type IsIp = (address: string) => number;

/**
 * Adds an address, or a network in CIDR notation.
 * @returns false if the text is neither
 */
function addNetwork(networks: BlockList, text: string, isIp: IsIp): boolean {
  const [, address = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIp(address);
  if (version === 0) return false;
  if (bits === undefined) networks.addAddress(address, familyOf(version));
  else if (Number(bits) > (version === 4 ? 32 : 128)) return false;
  else networks.addSubnet(address, Number(bits), familyOf(version));
  return true;
}

function isListed(networks: BlockList, address: string, isIp: IsIp): boolean {
  const [withoutZone = ""] = address.split("%", 1);
  const version = isIp(withoutZone);
  return version !== 0 && networks.check(withoutZone, familyOf(version));
}

const familyOf = (version: number): "ipv4" | "ipv6" => (version === 4 ? "ipv4" : "ipv6");
