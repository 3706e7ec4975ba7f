// The editor of a cell: CodeMirror 6 with what a short Python cell needs, and the page's own colours.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, LanguageSupport, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: tags.comment, class: "live-comment" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "live-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "live-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "live-number" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "live-name" },
]);

// As the code of the page looks, on a light and on a dark ground
const look = EditorView.theme({
  "&": { fontSize: ".8125rem", backgroundColor: "transparent", color: "var(--book-ink)", maxWidth: "100%" },
  "&.cm-focused": { outline: "2px solid var(--book-focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--pst-font-family-monospace, monospace)", lineHeight: "1.5", overflowX: "auto" },
  ".cm-content": { padding: ".7rem 0", caretColor: "var(--book-ink)" },
  ".cm-line": { padding: "0 .9rem" },
  ".cm-cursor": { borderLeftColor: "var(--book-ink)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--book-focus) 7%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--book-quiet)" },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--book-focus) 28%, transparent)" },
  ".live-comment": { color: "var(--book-quiet)" },
  ".live-keyword": { color: "var(--book-misprint)" },
  ".live-string": { color: "var(--book-true)" },
  ".live-number": { color: "var(--book-gap)" },
  ".live-name": { color: "var(--book-reading)" },
});

export function edit({ parent, text, label, change, run, leave }) {
  const verb = act => () => { act(); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), indentUnit.of("    "),
        new LanguageSupport(pythonLanguage), syntaxHighlighting(colours), look,
        keymap.of([
          { key: "Ctrl-Enter", mac: "Cmd-Enter", run: verb(run) }, { key: "Ctrl-Enter", run: verb(run) },
          { key: "Shift-Enter", run: verb(run) }, { key: "Escape", run: verb(leave) },
          indentWithTab, ...historyKeymap, ...defaultKeymap,
        ]),
        EditorView.updateListener.of(update => { if (update.docChanged) change(update.state.doc.toString()); }),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
      ],
    }),
  });
  return { focus: () => view.focus(), destroy: () => view.destroy(), view };
}
