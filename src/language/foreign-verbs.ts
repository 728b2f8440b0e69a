/** Verbs of other languages, in ASCII letters, with their English counterparts. */
import { toAscii } from "./words.js";

const ROWS: readonly (readonly [english: string, verbs: string])[] = [
  ["activate", "activar aktivieren ativar attivare"],
  ["add", "agregar ajouter anadir hinzufuegen adicionar aggiungere incluir inserir toevoegen"],
  ["approve", "aprobar aprovar genehmigen"],
  ["assign", "asignar atribuir zuweisen"],
  ["calculate", "berechnen calcolare calcular calculer"],
  ["cancel", "annuleren annuler cancelar stornieren"],
  ["change", "alterar cambiar redefinir"],
  ["confirm", "bestaetigen confirmar"],
  ["create", "aanmaken anlegen cadastrar crear creer criar erstellen creare"],
  ["deactivate", "deaktivieren desactivar desativar"],
  [
    "delete",
    "apagar borrar deletar effacer eliminar eliminare excluir loeschen remover supprimer verwijderen",
  ],
  ["download", "baixar descargar herunterladen telecharger"],
  ["edit", "bearbeiten editar"],
  ["generate", "gerar generar generer generieren"],
  [
    "get",
    "abrufen afficher consulter consultar exibir holen mostrar obtener obtenir obter ophalen opvragen ottenere recuperer recuperar visualizar",
  ],
  ["export", "exportar exportieren"],
  ["import", "importar importieren"],
  ["list", "auflisten elencare listar lister"],
  ["register", "registrar registrieren"],
  ["reject", "ablehnen rechazar rejeitar"],
  ["reset", "zuruecksetzen"],
  ["return", "devolver renvoyer restituire retornar retourner"],
  ["run", "ausfuehren ejecutar executar"],
  ["save", "enregistrer guardar salvar salvare speichern"],
  ["search", "buscar cercare chercher rechercher suchen zoek zoeken"],
  ["send", "enviar envoyer inviare senden versturen"],
  [
    "update",
    "aendern actualizar aggiornare aktualisieren atualizar bijwerken modificar modifier wijzigen",
  ],
  ["validate", "validar valideren valider validieren"],
  ["verify", "ueberpruefen verificar"],
];

const ENGLISH: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([english, verbs]) => verbs.split(" ").map((verb) => [verb, english] as const)),
);

/**
 * Words of an identifier that starts with a verb of another language, with their English
 * counterparts: `obtener, usuario, por, id` → get, usuario, by, id. Others are returned unchanged.
 */
export function translatePhrase(words: readonly string[]): readonly string[] {
  const [verb = "", ...rest] = words;
  const english = ENGLISH.get(verb);
  if (english === undefined) return words;
  return [english, ...rest.map((word) => (PREPOSITIONS_OF_KEYS.test(word) ? "by" : word))];
}

/** `obtenerPorId`, `supprimerParId`. */
const PREPOSITIONS_OF_KEYS = /^(?:par|por)$/;

/**
 * English counterpart of the verb that a text states: in the infinitive or the third person at its
 * start (`Ajoute un numéro`, `Envoyer un SMS`), or in the infinitive at the end of a short one
 * (`Rechnung stornieren`). `Consulta de saldo` is a noun.
 */
export function foreignVerbOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}’'-]+/gu) ?? [];
  const [first = "", next] = words;
  if (next === undefined || GENITIVE.test(next)) return undefined;
  const word = spell(first);
  const forms = word === "liste" ? [] : [word, `${word}r`, `${word}re`, word.replace(/t$/, "en")];
  const last = words.length <= MAX_TITLE_WORDS ? spell(words.at(-1) ?? "") : "";
  return [...forms, last.endsWith("en") ? last : ""]
    .map((form) => ENGLISH.get(form))
    .find((verb) => verb !== undefined);
}

/** `löschen` → loeschen, `créer` → creer. */
const spell = (word: string): string => toAscii(word.replace(/[äöü]/g, (c) => `${toAscii(c)}e`));

const MAX_TITLE_WORDS = 6;
const GENITIVE = /^(?:de|dei|del|della|delle|des|di|do|dos|du)$/;
