(* Theorem 3 of the paper: how often Algorithm 4 learns from scratch. *)
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Lemma4 Monotone.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Payment.
Variables (V : finType) (TS : {set {set V}}) (T : {set V}).
Local Notation TS' := (T |: TS).
Local Notation N := (N TS).
Local Notation N' := (Algorithm3.N TS').

(* What a payment does: a pair more is apart, or there is one metafeature more. *)
Lemma payment P : run TS P -> represents TS P -> uncovered P T != set0 ->
  2 * #|M TS| + #|apart TS| + 2 <= 2 * #|M TS'| + #|apart TS'|.
Proof.
move=> hP hR hT.
have grows : #|M TS| < #|M TS'| ->
    2 * #|M TS| + #|apart TS| + 2 <= 2 * #|M TS'| + #|apart TS'|.
  move=> h; rewrite addnAC; apply: leq_add (subset_leq_card (apart_kept TS T)).
  by rewrite addnC -mulnS leq_mul2l.
case: (boolP [exists x in T, exists w, (w \notin T) && (N x \proper N w)]).
  (* 1: an arrow out of T that has no arrow back *)
  case/existsP=> x /andP[hx /existsP[w /andP[hw /properP[hs [U hU hn]]]]].
  rewrite -addnA; apply: leq_add; first by rewrite leq_mul2l monotone.
  have nw : ~~ (N w \subset N x) by apply/subsetPn; exists U.
  have h1 : (x, w) \notin apart TS by rewrite inE /= hs.
  have h2 : (w, x) \notin (x, w) |: apart TS.
    by rewrite !inE /= hs andbF orbF; apply: contra hw => /eqP[->].
  rewrite addnC -[2 + _]/((1 + (1 + #|apart TS|))).
  have -> : 1 + (1 + #|apart TS|) = #|(w, x) |: ((x, w) |: apart TS)|.
    by rewrite !cardsU1 h1 h2.
  apply: subset_leq_card; apply/subsetP => e; rewrite !inE.
  have n1 : ~~ (N' x \subset N' w) by apply: contra hw => /N'_in; apply.
  have n2 : ~~ (N' w \subset N' x) by apply: contra nw; apply: N'_sub.
  case/or3P=> [/eqP->|/eqP->|he] /=; rewrite ?n1 ?n2 //.
  by have := subsetP (apart_kept TS T) e; rewrite !inE => ->.
move=> none.
have back x w : x \in T -> w \notin T -> N x \subset N w -> N x = N w.
  move=> hx hw hs; apply/eqP; rewrite eqEsubset hs /=; apply: contraR none => h.
  apply/existsP; exists x; rewrite hx; apply/existsP; exists w.
  by rewrite hw properE hs.
apply: grows.
case: (boolP [exists x in T, exists w, (w \notin T) && (N x == N w)]).
  (* 2: T splits a class *)
  case/existsP=> x /andP[hx /existsP[w /andP[hw /eqP E]]].
  apply: (one_more hx) => [z hz|z p hp /and3P[/eqP Ez _ /implyP h] hz].
    apply/negP; rewrite E => hs; have := back _ _ hz hw (proper_sub hs).
    by move=> Ezw; rewrite Ezw properxx in hs.
  apply/negP => /eqP Ezx; have /forallP/(_ w) := h hz.
  by rewrite (negbTE hw) implybF -Ez (cl_eq (etrans Ezx E)) eqxx.
(* 3: every closure of a variable of T lies in T *)
move=> none2.
have inside x w : x \in T -> N x \subset N w -> w \in T.
  move=> hx hs; apply: contraR none2 => hw; apply/existsP; exists x; rewrite hx.
  by apply/existsP; exists w; rewrite hw; apply/eqP/back.
case/set0Pn: hT => j /uncoveredP[hj hun].
pose A := [pred z in T | N z \subset N j].
have Aj : A j by rewrite /= hj subxx.
case: (@arg_minnP _ j A (fun z => #|N z|) Aj) => i /andP[hi hij] hmin.
apply: (one_more hi) => [z hz|z p hp /and3P[/eqP Ez _ _] hz].
  apply/negP => hs; have /hmin : A z.
    by rewrite /= hz (subset_trans (proper_sub hs)).
  by rewrite leqNgt proper_card.
apply/negP => /eqP E; have hpP : p \in P by rewrite (canonical hP hR).
have hpT : p \subset T.
  by rewrite -Ez; apply/subsetP => x; rewrite clE => hs; apply: inside hz hs.
by have := hun p hpP hpT; rewrite -Ez clE E hij.
Qed.
End Payment.

Section Online.
Variable V : finType.
Definition kept (L : seq {set V}) := [set T in L].

(* Algorithm 4: S has arrived so far, L was learned from scratch. *)
Inductive online : seq {set V} -> seq {set V} -> Prop :=
| nothing : online [::] [::]
| free S L T P : online S L -> run (kept L) P -> represents (kept L) P ->
    uncovered P T = set0 -> online (T :: S) L
| scratch S L T P : online S L -> run (kept L) P -> represents (kept L) P ->
    uncovered P T != set0 -> online (T :: S) (T :: L).

Lemma kept_cons T L : kept (T :: L) = T |: kept L.
Proof. by apply/setP => U; rewrite !inE. Qed.

Lemma potential S L : online S L ->
  2 * size L <= 2 * #|M (kept L)| + #|apart (kept L)|.
Proof.
elim=> // {}S {}L T P _ IH hP hR hT; rewrite kept_cons /= mulnS addnC.
by apply: leq_trans (payment hP hR hT); rewrite leq_add2r.
Qed.

Lemma apart_few (F : {set {set V}}) : #|apart F| <= #|V| * #|V|.-1.
Proof.
have /subset_leq_card h : apart F \subset ~: [set (x, x) | x in V].
  apply/subsetP => e; rewrite !inE => /andP[h _]; apply: contra h => /imsetP[x _ ->].
  exact: subxx.
apply: leq_trans h _; rewrite cardsCs setCK card_imset; last by move=> x y [].
by rewrite card_prod -[X in _ - X]muln1 -mulnBr subn1.
Qed.

(* Any targets at all. *)
Theorem Theorem3_any S L : online S L -> 2 * size L <= #|V| * #|V|.+1.
Proof.
move/potential=> h; apply: leq_trans h _.
have hM : #|M (kept L)| <= #|V| by apply: leq_trans (leq_imset_card _ _) (max_card _).
apply: leq_trans (leq_add (leq_mul (leqnn 2) hM) (apart_few _)) _.
by case: #|V| => // n; rewrite mulnC -mulnDr.
Qed.

(* Theorem 3, with less than half of the printed n^2, and as printed. *)
Theorem Theorem3 k (m : 'I_k -> {set V}) (y : 'I_k -> V) S L : online S L ->
  (forall i j, (y i \in m j) = (i == j)) ->
  (forall T, T \in S -> exists J : {set 'I_k}, T = \bigcup_(j in J) m j) ->
  2 * size L <= 2 * k + #|V| * #|V|.-1 /\ size L <= #|V| ^ 2 + k.
Proof.
move=> hO anchored unions; have hS T : T \in kept L -> T \in S.
  clear unions; elim: hO; rewrite ?inE // => {}S {}L U P _ IH _ _ _; rewrite !inE.
    by move=> h; rewrite IH ?orbT ?inE.
  by case/orP=> [->//|h]; rewrite IH ?orbT ?inE.
have hM := least anchored (fun T hT => unions T (hS T hT)).
have h : 2 * size L <= 2 * k + #|V| * #|V|.-1.
  apply: leq_trans (potential hO) _.
  exact: leq_add (leq_mul (leqnn 2) hM) (apart_few _).
split=> //; rewrite -(leq_pmul2l (isT : 0 < 2)); apply: leq_trans h _.
rewrite mulnDr addnC leq_add2r -mulnn; apply: leq_trans (leq_pmull _ _) => //.
by rewrite leq_mul2l leq_pred orbT.
Qed.
End Online.
Print Assumptions Theorem3_any.
Print Assumptions Theorem3.
