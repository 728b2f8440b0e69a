/** Verbs of operationIds in other languages, in ASCII letters, with their English counterparts. */

const ROWS: readonly (readonly [english: string, verbs: string])[] = [
  ["add", "agregar ajouter anadir hinzufuegen adicionar aggiungere toevoegen"],
  ["cancel", "annuleren annuler cancelar stornieren"],
  ["create", "aanmaken anlegen crear creer criar erstellen creare"],
  [
    "delete",
    "apagar borrar deletar effacer eliminar eliminare excluir loeschen supprimer verwijderen",
  ],
  ["download", "descargar herunterladen telecharger"],
  [
    "get",
    "abrufen afficher consulter consultar holen obtener obtenir obter ophalen opvragen ottenere recuperer recuperar",
  ],
  ["list", "auflisten elencare listar lister"],
  ["return", "devolver renvoyer restituire retornar retourner"],
  ["search", "buscar cercare chercher rechercher suchen zoek zoeken"],
  ["send", "enviar envoyer inviare senden versturen"],
  [
    "update",
    "aendern actualizar aggiornare aktualisieren atualizar bijwerken modificar modifier wijzigen",
  ],
  ["validate", "validar valideren valider validieren"],
];

const ENGLISH: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([english, verbs]) => verbs.split(" ").map((verb) => [verb, english] as const)),
);

/** `creer` → create; other words are returned unchanged. */
export const translateVerb = (word: string): string => ENGLISH.get(word) ?? word;

/**
 * True for a sentence in French, Spanish, Portuguese or Italian that starts with a verb: `Ajoute un
 * numéro`, `Envoyer un SMS`. `Consulta de saldo` is a noun.
 */
export function startsWithForeignVerb(text: string): boolean {
  const [, first = "", next = ""] = FIRST_WORDS.exec(text.toLowerCase()) ?? [];
  const word = first.normalize("NFD").replace(/\p{M}/gu, "");
  return (
    next !== "" &&
    [word, `${word}r`, `${word}re`].some((form) => ENGLISH.has(form)) &&
    word !== "liste" &&
    !GENITIVE.test(next)
  );
}

const FIRST_WORDS = /^(\p{L}+) (\p{L}+)/u;
const GENITIVE = /^(?:de|dei|del|della|delle|des|di|do|dos|du)$/;
