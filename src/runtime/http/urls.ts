/** Whether a URL may be asked for keys and named to clients: https, or anything on this machine. */
export function isLocalOrHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return (
    username === "" &&
    password === "" &&
    (protocol === "https:" || (protocol === "http:" && isLoopback))
  );
}
