(* |M| is the least size of an anchored basis. *)
From mathcomp Require Import all_ssreflect.
Require Import Algorithm3 Lemma4.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Optimal.
Variables (V : finType) (TS : {set {set V}}).

(* k metafeatures, each with an anchor, whose unions give all targets *)
Definition anchored_basis k (m : 'I_k -> {set V}) (y : 'I_k -> V) :=
  (forall i j, (y i \in m j) = (i == j)) /\
  (forall T, T \in TS -> exists J : {set 'I_k}, T = \bigcup_(j in J) m j).

Local Notation M := (M TS).
Local Notation cl := (cl TS).
Local Notation N := (N TS).
Definition trim (p : {set V}) := p :\: \bigcup_(q in M | q \proper p) q.

Lemma trimP (p : {set V}) x : reflect
  (x \in p /\ forall q, q \in M -> q \proper p -> x \notin q) (x \in trim p).
Proof.
rewrite inE; apply: (iffP andP) => [[h ->]|[-> h]]; split=> //.
- by move=> q hq hqp; apply: contra h => hx; apply/bigcupP; exists q; rewrite ?hq.
- by apply/bigcupP => -[q /andP[hq hqp] hx]; move: (h q hq hqp); rewrite hx.
Qed.

Lemma M_cl (p : {set V}) : p \in M -> exists z, p = cl z.
Proof. by case/imsetP=> z _ ->; exists z. Qed.
Lemma cl_mono z w : z \in cl w -> cl z \subset cl w.
Proof. by rewrite clE => h; apply/subsetP => x; rewrite !clE; apply: subset_trans. Qed.

Lemma trim_anchor (p : {set V}) : p \in M ->
  exists z, (z \in trim p) /\ forall q, q \in M -> z \in trim q -> q = p.
Proof.
move=> hp; case: (M_cl hp) => z E; exists z; split.
- apply/trimP; rewrite E mem_cl; split=> // q /M_cl[w ->].
  by rewrite properE => /andP[_]; apply: contra => /cl_mono.
- move=> q /[dup] hq /M_cl[w Ew] /trimP[hz h].
  have : p \subset q by rewrite E Ew cl_mono // -Ew.
  rewrite subEproper => /orP[/eqP-> //|/(h p hp)].
  by rewrite E mem_cl.
Qed.

Lemma trim_covers (T : {set V}) x : T \in TS -> x \in T ->
  exists p, [/\ p \in M, trim p \subset T & x \in trim p].
Proof.
move=> hT hx.
pose A := [pred z in T | N z \subset N x].
have Ax : A x by rewrite /= hx subxx.
case: (@arg_minnP _ x A (fun z => #|N z|) Ax) => z /andP[hz hzx] hmin.
have hM : cl z \in M.
  apply: imset_f; rewrite inE; apply/existsP; exists T; rewrite hT /minimal hz.
  apply/forall_inP => w hw; apply/negP => hwz.
  have /hmin : A w by rewrite /= hw (subset_trans (proper_sub hwz)).
  by rewrite leqNgt proper_card.
pose B := [pred p : {set V} | [&& p \in M, x \in p & p \subset T]].
have Bz : B (cl z) by rewrite /= hM clE hzx cl_sub.
case: (@arg_minnP _ (cl z) B (fun p => #|p|) Bz) => p /and3P[hp hxp hpT] pmin.
exists p; split=> //; first exact: subset_trans (subsetDl _ _) hpT.
apply/trimP; split=> // q hq hqp; apply/negP => hxq.
have /pmin : B q by rewrite /= hq hxq (subset_trans (proper_sub hqp)).
by rewrite leqNgt proper_card.
Qed.

Theorem optimal :
  (forall k m y, @anchored_basis k m y -> #|M| <= k) /\
  exists m y, @anchored_basis #|M| m y.
Proof.
split=> [k m y [h1 h2]|]; first exact: least h1 h2.
exists (fun j => trim (enum_val j)).
have /fin_all_exists[y hy] : forall j : 'I_#|M|, exists z,
    z \in trim (enum_val j) /\ forall q, q \in M -> z \in trim q -> q = enum_val j.
  by move=> j; apply/trim_anchor/enum_valP.
exists y; split=> [i j|T hT].
  apply/idP/eqP => [h|->]; last by case: (hy j).
  by have /enum_val_inj -> := proj2 (hy i) _ (enum_valP j) h.
exists [set j | trim (enum_val j) \subset T]; apply/setP => x; apply/idP/bigcupP.
- case/(trim_covers hT)=> p [hp hpT hx].
  have E : enum_val (enum_rank_in hp p) = p by apply: enum_rankK_in.
  by exists (enum_rank_in hp p); [rewrite inE E | rewrite E].
- by case=> j; rewrite inE => /subsetP h /h.
Qed.

(* No smaller number can stand in Lemma 4: the output has that many pieces. *)
Theorem Lemma4_reached P : run TS P -> represents TS P ->
  exists m y, @anchored_basis (size P) m y.
Proof.
move=> hP hR; have -> : size P = #|M|; last exact: (proj2 optimal).
by rewrite -(card_uniqP (run_uniq hP)); apply: eq_card; apply: canonical.
Qed.
End Optimal.
Print Assumptions optimal.
Print Assumptions Lemma4_reached.
